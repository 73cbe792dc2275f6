import { texts } from '@goty/shared/texts';
import { useEffect } from 'react';
import type { Observable } from '../base/observable.ts';
import { ScreenLink } from '../base/screen-link.tsx';
import { ScreenMessage } from '../base/screen-message.tsx';
import { useObservable } from '../base/use-observable.ts';
import { whenOnline } from '../base/when-online.ts';
import { ALWAYS_OPEN, type VoteStatus } from '../live/vote-status.ts';
import type { BallotBox } from './ballot-box.ts';
import { NomineeCard } from './card/nominee-card.tsx';
import { NomineeCardSkeleton } from './card/nominee-card-skeleton.tsx';
import styles from './goty-screen.module.css';
import { FIRST_COVERS, type NomineeList, type NomineeListState } from './nominee-list.ts';

/** How long the cards are shown before the dialog is loaded, in milliseconds (SPEC W28). */
const PREPARE_AFTER_MS = 500;

/** Enough cards to fill the viewport. */
const SKELETONS = [0, 1, 2, 3, 4, 5, 6, 7];

/** Prerendered cards show no votes. */
const none = () => undefined;

export interface GotyScreenProps {
  readonly nominees: NomineeList;
  /** The list as the HTML shows it when React takes over. It may have changed since. */
  readonly shownNominees?: NomineeListState;
  readonly ballots: BallotBox;
  readonly lastVote: Observable<string | undefined>;
  readonly voteStatus: Observable<VoteStatus>;
}

export function GotyScreen(props: GotyScreenProps) {
  const status = useObservable(props.voteStatus, () => ALWAYS_OPEN);
  const { notice = texts.goty.lead, hint } = status;
  return (
    <section className="screen">
      <h1 tabIndex={-1}>{texts.goty.heading}</h1>
      <p className="lead" role="status">
        {notice}{' '}
        {status.phase !== 'before' && <ScreenLink to="/inicio">{texts.goty.toResult}</ScreenLink>}
      </p>
      <Nominees {...props} hint={hint} />
    </section>
  );
}

interface NomineesProps extends GotyScreenProps {
  readonly hint: string | undefined;
}

function Nominees({ nominees: list, shownNominees, ballots, lastVote, hint }: NomineesProps) {
  const state = useObservable(list.state, shownNominees && (() => shownNominees));
  const voting = useObservable(ballots.voting, none);
  const yourVote = useObservable(lastVote, none);
  const isReady = state.status === 'ready';
  useEffect(() => list.ensureLoaded(), [list]);
  useEffect(() => whenOnline(list.ensureLoaded), [list]);
  useEffect(() => {
    // The dialog is loaded after the covers.
    const timer = isReady && setTimeout(ballots.prepare, PREPARE_AFTER_MS);
    return () => clearTimeout(timer || undefined);
  }, [isReady, ballots]);

  if (state.status === 'failed') {
    return (
      <ScreenMessage
        title={texts.goty.failed}
        hint={texts.states.failures[state.reason]}
        action={{ label: texts.states.retry, run: list.ensureLoaded }}
      />
    );
  }
  if (state.status === 'loading') {
    return (
      <div className={styles.grid} role="status" aria-label={texts.goty.loading}>
        {SKELETONS.map((index) => (
          <NomineeCardSkeleton key={index} />
        ))}
      </div>
    );
  }
  if (state.nominees.length === 0) {
    return <ScreenMessage title={texts.states.empty} hint={texts.states.emptyHint} />;
  }
  return (
    <ul className={styles.grid}>
      {state.nominees.map((nominee, index) => (
        <li key={nominee.id} data-nominee={nominee.id}>
          <NomineeCard
            nominee={nominee}
            voting={voting === undefined ? 'none' : voting === nominee.id ? 'this' : 'other'}
            hint={hint}
            isYourVote={yourVote === nominee.id}
            isFirst={index < FIRST_COVERS}
            onVote={() => ballots.cast(nominee.id)}
          />
        </li>
      ))}
    </ul>
  );
}
