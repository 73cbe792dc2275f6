import type { Nominee } from '@goty/shared/nominee';
import { texts } from '@goty/shared/texts';
import { useId } from 'react';
import { CoverImage } from './cover-image.tsx';
import styles from './nominee-card.module.css';

interface Props {
  readonly nominee: Nominee;
  /** The game whose vote is in progress: this one, another one or none. */
  readonly voting: 'this' | 'other' | 'none';
  /** Whether this browser's last vote was for this game. */
  readonly isYourVote: boolean;
  /** Whether the card is above the fold, so that its cover is loaded eagerly. */
  readonly isFirst: boolean;
  readonly onVote: () => void;
}

/** A nominee with its cover and its button (SPEC W6). */
export function NomineeCard({ nominee, voting, isYourVote, isFirst, onVote }: Props) {
  const nameId = useId();
  const buttonId = useId();
  const labelId = useId();
  return (
    <article className={styles.card} aria-labelledby={nameId}>
      <CoverImage src={nominee.url} isLazy={!isFirst} />
      <div className={styles.body}>
        <h2 id={nameId} className={styles.name} dir="auto">
          {nominee.name}
        </h2>
        {isYourVote && (
          <p id={labelId} className={styles.yourVote}>
            {texts.goty.yourVote}
          </p>
        )}
        <p className={styles.hint}>{texts.goty.hint}</p>
        {/* Not `disabled`: the dialog returns the focus to the button. */}
        <button
          type="button"
          id={buttonId}
          className={`button ${styles.vote}`}
          aria-disabled={voting !== 'none'}
          aria-busy={voting === 'this'}
          aria-labelledby={`${buttonId} ${nameId}`}
          aria-describedby={isYourVote ? labelId : undefined}
          onClick={voting === 'none' ? onVote : undefined}
          // A held key is one press.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
        >
          {voting === 'this' ? texts.goty.voting : texts.goty.vote}
        </button>
      </div>
    </article>
  );
}
