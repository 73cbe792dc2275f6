import { FIRST_COVERS } from '@goty/shared/protocol';
import { texts } from '@goty/shared/texts';
import { useEffect } from 'react';
import { useObservable } from '../base/observable.ts';
import { ScreenMessage } from '../base/screen-message.tsx';
import { whenOnline } from '../base/when-online.ts';
import type { BallotBox } from './ballot-box.ts';
import { NomineeCard } from './card/nominee-card.tsx';
import { NomineeCardSkeleton } from './card/nominee-card-skeleton.tsx';
import styles from './goty-screen.module.css';
import type { NomineeList } from './nominee-list.ts';

/** How long the cards are shown before the dialog is loaded, in milliseconds (SPEC W28). */
const PREPARE_AFTER_MS = 500;

/** Enough cards to fill the viewport. */
const SKELETONS = [0, 1, 2, 3, 4, 5, 6, 7];

export interface GotyScreenProps {
  readonly nominees: NomineeList;
  readonly ballots: BallotBox;
}

/** The screen goty: the nominees as cards to vote on. */
export function GotyScreen(props: GotyScreenProps) {
  return (
    <section className="screen">
      <h1 className={styles.heading} tabIndex={-1}>
        {texts.goty.heading}
      </h1>
      <Nominees {...props} />
    </section>
  );
}

function Nominees({ nominees: list, ballots }: GotyScreenProps) {
  const state = useObservable(list.state);
  const { voting, lastVote } = useObservable(ballots.state);
  const isReady = state.status === 'ready';
  useEffect(() => list.ensureLoaded(), [list]);
  useEffect(() => whenOnline(list.ensureLoaded), [list]);
  useEffect(() => {
    // After the covers.
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
          <NomineeCardSkeleton key={index} index={index} />
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
        <li key={nominee.id}>
          <NomineeCard
            nominee={nominee}
            voting={voting === undefined ? 'none' : voting === nominee.id ? 'this' : 'other'}
            isYourVote={lastVote === nominee.id}
            isFirst={index < FIRST_COVERS}
            onVote={() => ballots.cast(nominee.id)}
          />
        </li>
      ))}
    </ul>
  );
}
