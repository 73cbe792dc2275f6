import { gotyTexts } from '@goty/shared/goty-texts';
import type { Nominee } from '@goty/shared/nominee';
import { useEffect, useState } from 'react';
import styles from './search.module.css';

interface Props {
  readonly nominees: readonly Nominee[];
  /** Called with the ids of the games that match; with `undefined` if nothing is searched for. */
  readonly onFound: (ids: ReadonlySet<string> | undefined) => void;
}

/** The field that searches many games by name, whatever accents and case (SPEC W122). */
export function Search({ nominees, onFound }: Props) {
  const [text, setText] = useState('');
  const wanted = plain(text.trim());
  const found = nominees.filter(({ name }) => plain(name).includes(wanted));
  // As a text, so that the effect runs only if they change.
  const ids = wanted && found.map(({ id }) => id).join(' ');
  useEffect(() => {
    onFound(wanted ? new Set(ids.split(' ')) : undefined);
  }, [wanted, ids, onFound]);
  return (
    <div className={styles.search}>
      <input
        type="search"
        className={styles.field}
        aria-label={gotyTexts.search}
        placeholder={gotyTexts.search}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p role="status">{wanted && gotyTexts.found(found.length, text.trim())}</p>
    </div>
  );
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
