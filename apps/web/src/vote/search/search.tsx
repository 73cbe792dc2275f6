import { gotyTexts } from '@goty/shared/goty-texts';
import styles from './search.module.css';

interface Props {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** How many games it finds. */
  readonly found: number;
}

/** The field that searches many games by name (SPEC W122). */
export function Search({ text, onText, found }: Props) {
  return (
    <div className={`row ${styles.search}`}>
      <input
        type="search"
        className={styles.field}
        aria-label={gotyTexts.search}
        placeholder={gotyTexts.search}
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
      <p role="status">{text.trim() && gotyTexts.found(found, text.trim())}</p>
    </div>
  );
}
