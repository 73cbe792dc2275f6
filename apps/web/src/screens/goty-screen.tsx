import { texts } from '@goty/shared/texts';
import { useState } from 'react';
import { NomineeCard } from '../components/nominee-card.tsx';
import { NomineeCardSkeleton } from '../components/nominee-card-skeleton.tsx';
import { ScreenMessage } from '../components/screen-message.tsx';
import { keepLastVote, readLastVote } from '../last-vote.ts';
import { useServices } from '../services.ts';
import { useNominees } from '../use-nominees.ts';
import styles from './goty-screen.module.css';

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
  const { nominees: list, vote, loadDialog } = useServices();
  const state = useNominees();
  const [votingId, setVotingId] = useState<string>();
  const [lastVote, setLastVote] = useState(readLastVote);

  async function castVote(gameId: string) {
    setVotingId(gameId);
    const [response, showOutcome] = await Promise.all([vote(gameId), loadDialog()]);
    setVotingId(undefined);
    if (response.ok) {
      keepLastVote(gameId);
      setLastVote(gameId);
    }
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
      {state.nominees.map((nominee, index) => (
        <li key={nominee.id}>
          <NomineeCard
            nominee={nominee}
            voting={votingId === undefined ? 'none' : votingId === nominee.id ? 'this' : 'other'}
            isYourVote={lastVote === nominee.id}
            isFirst={index < FIRST_CARDS}
            onVote={() => castVote(nominee.id)}
          />
        </li>
      ))}
    </ul>
  );
}
