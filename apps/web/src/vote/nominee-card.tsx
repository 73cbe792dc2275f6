import { initialsOf, type Nominee } from '@goty/shared/nominee';
import { texts } from '@goty/shared/texts';
import { CoverImage } from '../base/cover-image.tsx';
import { isVoting, votingIn } from '../live/fetch-standings.ts';
import type { VoteStatus } from '../live/live-state.ts';
import styles from './nominee-card.module.css';

interface Props {
  readonly nominee: Nominee;
  readonly status: VoteStatus;
  readonly yourVote: string | undefined;
  /** The id of the game whose vote is in progress: see `VoteCaster`. */
  readonly voting: string | undefined;
  /** What the visitor lacks for a vote, as a hint: a voting code. `undefined` if nothing is missing. */
  readonly need: string | undefined;
  /** Whether the card is one of the first, whose covers are loaded eagerly because they are in sight when the page opens. */
  readonly isFirst: boolean;
  readonly onVote: (isChange: boolean) => void;
}

/** A nominee with its cover and its button (SPEC W6). */
export function NomineeCard(props: Props) {
  const { nominee, voting, isFirst, onVote } = props;
  const { isYourVote, isOpen, isChange, isQuiet, hint, label } = offerOf(props);
  // `useId` would give other ids than the first cards have, which are shown before React (first-cards.ts).
  const nameId = `name-${nominee.id}`;
  const buttonId = `vote-${nominee.id}`;
  const labelId = `label-${nominee.id}`;
  const badgeId = isYourVote ? labelId : undefined;
  const hintId = `hint-${nominee.id}`;
  const canVote = isOpen && voting === undefined;
  const isBusy = voting === nominee.id;
  return (
    <article
      className={styles.card}
      data-open={isOpen}
      data-yours={isYourVote || undefined}
      aria-labelledby={nameId}
    >
      <div className={styles.frame} data-initials={initialsOf(nominee.name)}>
        <CoverImage src={nominee.url} loading={isFirst ? 'eager' : 'lazy'} hasCopy />
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
        {/* The button is not `disabled`, because such a button could not take the focus back from the dialog. */}
        <button
          type="button"
          id={buttonId}
          className={`button ${isQuiet ? 'quiet ' : ''}${styles.vote}`}
          aria-disabled={!canVote}
          aria-busy={isBusy}
          aria-labelledby={`${buttonId} ${nameId}`}
          aria-describedby={isOpen ? badgeId : hintId}
          onClick={canVote ? () => onVote(isChange) : undefined}
          // A key that is held down is one press: its repeats must not press the button again.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
        >
          {isBusy ? texts.goty.voting : label}
        </button>
      </div>
    </article>
  );
}

/** Returns what a card offers, or why a press is not possible or would change nothing (SPEC W41, W95). */
function offerOf({ nominee, status: { phase, onePerVisitor }, yourVote, need }: Props) {
  const { hints, afterVote, vote } = texts.goty;
  const isYourVote = yourVote === nominee.id;
  const isOpen = isVoting(phase);
  const hasVoted = yourVote !== undefined;
  const isDecided = isOpen && onePerVisitor && hasVoted;
  const decided = afterVote[isYourVote ? 'own' : 'other'];
  const isChange = isDecided && !isYourVote;
  return {
    isYourVote,
    isOpen,
    isChange,
    label: isDecided ? decided.label : vote,
    /** Whether the button is less prominent: a vote would change nothing, or the visitor's vote is on another card. */
    isQuiet: !isOpen || isDecided || (hasVoted && !isYourVote),
    hint: isDecided ? decided.hint : (isOpen && need) || hints[votingIn(phase)],
  };
}

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
