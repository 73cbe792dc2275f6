import type { Nominee } from '@goty/shared/nominee';
import { texts } from '@goty/shared/texts';
import { useId } from 'react';
import { CoverImage } from './cover-image.tsx';
import styles from './nominee-card.module.css';

interface Props {
  readonly nominee: Nominee;
  /** A vote is on its way: for this game, or for another one. */
  readonly voting: 'this' | 'other' | 'none';
  /** This browser's last vote was for it. */
  readonly isYourVote: boolean;
  /** Above the fold of most screens: its cover is wanted at once. */
  readonly isFirst: boolean;
  readonly onVote: () => void;
}

export function NomineeCard({ nominee, voting, isYourVote, isFirst, onVote }: Props) {
  const nameId = useId();
  const buttonId = useId();
  const markId = useId();
  return (
    <article className={styles.card} aria-labelledby={nameId}>
      <CoverImage src={nominee.url} alt={nominee.name} isLazy={!isFirst} />
      {isYourVote && (
        <p id={markId} className={styles.yourVote}>
          {texts.goty.yourVote}
        </p>
      )}
      <div className={styles.body}>
        <h2 id={nameId} className={styles.name} dir="auto">
          {nominee.name}
        </h2>
        <p className={styles.hint}>{texts.goty.hint}</p>
        {/* Not `disabled`: the dialog gives the focus back to the button. */}
        <button
          type="button"
          id={buttonId}
          className={`button ${styles.vote}`}
          aria-disabled={voting !== 'none'}
          aria-busy={voting === 'this'}
          aria-labelledby={`${buttonId} ${nameId}`}
          aria-describedby={isYourVote ? markId : undefined}
          onClick={voting === 'none' ? onVote : undefined}
          // A key that is held is one press, not one after another.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
        >
          {voting === 'this' ? texts.goty.voting : texts.goty.vote}
        </button>
      </div>
    </article>
  );
}
