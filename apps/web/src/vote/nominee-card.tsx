import type { Nominee } from '@goty/shared/nominee';
import { texts } from '@goty/shared/texts';
import { CoverImage } from '../base/cover-image.tsx';
import { initialsOf } from '../live/nominees.ts';
import styles from './nominee-card.module.css';

interface Props {
  readonly nominee: Nominee;
  /** The game whose vote is in progress: this one, another one or none. */
  readonly voting: 'this' | 'other' | 'none';
  /** What the card says: it invites, or says why a vote is not possible or changes nothing. */
  readonly hint: string;
  /** Whether it can be voted for. */
  readonly isOpen: boolean;
  readonly isYourVote: boolean;
  /** Whether its button steps back: a vote changes nothing, or another card has the visitor's (SPEC W95). */
  readonly isQuiet: boolean;
  /** Whether the card is above the fold, so that its cover is loaded eagerly. */
  readonly isFirst: boolean;
  readonly onVote: () => void;
}

/** A nominee with its cover and its button (SPEC W6). */
export function NomineeCard(props: Props) {
  const { nominee, voting, hint, isOpen, isYourVote, isQuiet, isFirst, onVote } = props;
  // Not useId, because the first cards are shown before React has loaded (first-cards.ts).
  const nameId = `name-${nominee.id}`;
  const buttonId = `vote-${nominee.id}`;
  const labelId = `label-${nominee.id}`;
  const hintId = `hint-${nominee.id}`;
  const canVote = isOpen && voting === 'none';
  return (
    <article
      className={styles.card}
      data-open={isOpen}
      data-yours={isYourVote || undefined}
      aria-labelledby={nameId}
    >
      {/* The frame shows the game's initials until its cover is loaded. */}
      <div className={styles.frame} data-initials={initialsOf(nominee.name)}>
        <CoverImage src={nominee.url} loading={isFirst ? 'eager' : 'lazy'} />
      </div>
      <div className={styles.body}>
        <h2 id={nameId} className={styles.name} dir="auto" translate="no">
          {nominee.name}
        </h2>
        {isYourVote && (
          <p id={labelId} className={`badge ${styles.yourVote}`}>
            {texts.goty.yourVote}
          </p>
        )}
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
        {/* Not `disabled`: the dialog returns the focus to the button. */}
        <button
          type="button"
          id={buttonId}
          className={`button ${isQuiet ? 'quiet ' : ''}${styles.vote}`}
          aria-disabled={!canVote}
          aria-busy={voting === 'this'}
          aria-labelledby={`${buttonId} ${nameId}`}
          aria-describedby={!isOpen ? hintId : isYourVote ? labelId : undefined}
          onClick={canVote ? onVote : undefined}
          // A held key is one press.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
        >
          {voting === 'this' ? texts.goty.voting : texts.goty.vote}
        </button>
      </div>
    </article>
  );
}

/** The placeholder of a card, in its final size. */
export function NomineeCardSkeleton() {
  return (
    <div className={styles.card} aria-hidden="true">
      <div className={`skeleton ${styles.frame}`} />
      <div className={styles.body}>
        <p className={styles.name}>
          <span className="skeleton">&nbsp;</span>
        </p>
        <p className={styles.hint}>
          <span className="skeleton">&nbsp;</span>
        </p>
        <div className={`button skeleton ${styles.vote}`}>&nbsp;</div>
      </div>
    </div>
  );
}
