import { texts } from '@goty/shared/texts';
import { useState } from 'react';
import { NomineeCard } from '../components/nominee-card.tsx';
import { NomineeCardSkeleton } from '../components/nominee-card-skeleton.tsx';
import { ScreenMessage } from '../components/screen-message.tsx';
import { useServices } from '../services.ts';
import { useNominees } from '../use-nominees.ts';
import styles from './goty-screen.module.css';

/** As many as fill the first view. */
const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

export function GotyScreen() {
  return (
    <section className="screen">
      <h1 className={styles.heading}>{texts.goty.heading}</h1>
      <Nominees />
    </section>
  );
}

function Nominees() {
  const { nominees: list, vote, loadDialog } = useServices();
  const state = useNominees();
  const [votingId, setVotingId] = useState<string>();

  async function castVote(gameId: string) {
    setVotingId(gameId);
    const [response, showOutcome] = await Promise.all([vote(gameId), loadDialog()]);
    setVotingId(undefined);
    await showOutcome(response);
  }

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
      {state.nominees.map((nominee) => (
        <li key={nominee.id}>
          <NomineeCard
            nominee={nominee}
            voting={votingId === undefined ? 'none' : votingId === nominee.id ? 'this' : 'other'}
            onVote={() => castVote(nominee.id)}
          />
        </li>
      ))}
    </ul>
  );
}
