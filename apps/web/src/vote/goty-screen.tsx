import { texts } from '@goty/shared/texts';
import { useSyncExternalStore } from 'react';
import { ScreenMessage } from '../base/screen-message.tsx';
import { useServices } from '../services.ts';
import styles from './goty-screen.module.css';
import { NomineeCard } from './nominee-card.tsx';
import { NomineeCardSkeleton } from './nominee-card-skeleton.tsx';
import { useNominees } from './use-nominees.ts';

/** A row of them on a wide screen. */
const FIRST_CARDS = 4;

/** As many as fill the first view. */
const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

export function GotyScreen() {
  return (
    <section className="screen">
      <h1 className={styles.heading} tabIndex={-1}>
        {texts.goty.heading}
      </h1>
      <Nominees />
    </section>
  );
}

function Nominees() {
  const { nominees: list, ballots } = useServices();
  const state = useNominees();
  const { voting, lastVote } = useSyncExternalStore(
    ballots.subscribe,
    ballots.state,
    ballots.state,
  );

  if (state.status === 'failed') {
    return (
      <ScreenMessage
        title={texts.goty.failed}
        hint={texts.states.retryHint}
        action={{ label: texts.states.retry, run: list.need }}
      />
    );
  }
  if (state.status === 'loading') {
    return (
      <div className={styles.grid} role="status" aria-label={texts.goty.loading}>
        {SKELETONS.map((key) => (
          <NomineeCardSkeleton key={key} />
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
            isFirst={index < FIRST_CARDS}
            onVote={() => ballots.cast(nominee.id)}
          />
        </li>
      ))}
    </ul>
  );
}
