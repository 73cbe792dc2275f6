import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { HADES } from '../../testing/render-page.tsx';
import { Page } from '../app/page.tsx';
import { createLastVote } from '../base/last-vote.ts';
import { createObservable } from '../base/observable.ts';
import { createLiveResults } from '../live/live-results.ts';
import { prerender } from '../prerender.tsx';
import { ALWAYS_OPEN } from '../status/vote-status.ts';
import { createBallotBox } from './ballot-box.ts';
import { createNomineeList, loadList } from './nominee-list.ts';

test('W80 a list that comes while React takes over the skeleton is shown, without a mismatch', async () => {
  document.body.innerHTML = prerender('/goty');
  const nominees = createNomineeList(async () => [HADES]);
  const shownNominees = nominees.state.get();
  await loadList(nominees);
  const never = () => new Promise<never>(() => {});
  const lastVote = createLastVote();
  const errors: unknown[] = [];
  render(
    <Page
      nominees={nominees}
      shownNominees={shownNominees}
      ballots={createBallotBox({ vote: never, loadDialog: never, lastVote })}
      lastVote={lastVote}
      live={createLiveResults(never)}
      voteStatus={createObservable(ALWAYS_OPEN)}
      inRouter={(app) => <MemoryRouter initialEntries={['/goty']}>{app}</MemoryRouter>}
    />,
    {
      container: document.body,
      hydrate: true,
      onRecoverableError: (error) => errors.push(error),
    },
  );
  await screen.findByRole('article', { name: 'Hades II' });
  expect(errors).toEqual([]);
});
