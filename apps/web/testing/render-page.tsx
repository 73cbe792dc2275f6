import type { Standing, VoteResponse } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';
import { buildNominee } from '@goty/shared/testing/nominee';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { expect, vi } from 'vitest';
import { App } from '../src/app/app.tsx';
import { createLastVote } from '../src/base/last-vote.ts';
import { createObservable } from '../src/base/observable.ts';
import { createLiveResults } from '../src/live/live-results.ts';
import type { LiveEvent } from '../src/live/live-source.ts';
import { ALWAYS_OPEN, type VoteStatus } from '../src/status/vote-status.ts';
import { createBallotBox } from '../src/vote/ballot-box.ts';
import { createNomineeList } from '../src/vote/nominee-list.ts';

const BLUE_PRINCE = buildNominee({ id: 'blue-prince', name: 'Blue Prince' });
export const HADES = buildNominee({ id: 'hades-2', name: 'Hades II' });

export const STANDINGS: readonly Standing[] = [
  { id: 'blue-prince', name: 'Blue Prince', votos: 1 },
  { id: 'hades-2', name: 'Hades II', votos: 12 },
];

export interface RenderPageOptions {
  readonly path?: string;
  readonly load?: () => Promise<readonly Nominee[]>;
  readonly vote?: (gameId: string) => Promise<VoteResponse>;
}

/**
 * Renders the whole page with fakes for the server, the live source and the dialog.
 *
 * @param options `path` is /inicio by default, `load` returns two nominees, and `vote` succeeds
 * @returns the user, the current path, and what the fakes have recorded
 */
export function renderPage(options: RenderPageOptions = {}) {
  const { path = '/inicio', load = async () => [BLUE_PRINCE, HADES], vote } = options;
  const listeners = new Set<(event: LiveEvent) => void>();
  const voteStatus = createObservable(ALWAYS_OPEN);
  const lastVote = createLastVote();
  const votes: string[] = [];
  const outcomes: VoteResponse[] = [];
  const loads = vi.fn(load);
  render(
    <MemoryRouter initialEntries={['/before', path]}>
      <App
        nominees={createNomineeList(loads)}
        ballots={createBallotBox({
          async vote(gameId) {
            votes.push(gameId);
            return vote ? vote(gameId) : { ok: true, mensaje: 'Contado' };
          },
          loadDialog: async () => async (response) => void outcomes.push(response),
          lastVote,
        })}
        lastVote={lastVote}
        voteStatus={voteStatus}
        live={createLiveResults(async () => (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        })}
      />
      <Path />
    </MemoryRouter>,
  );
  return {
    user: userEvent.setup(),
    /** Returns the router's current path. */
    path: () => screen.getByTestId('path').textContent,
    loads,
    votes,
    outcomes,
    listeners,
    /** Tells the page the vote's status. */
    async setStatus(next: VoteStatus) {
      await act(async () => voteStatus.set(next));
    },
    /** Emits an event of the live source, once the page has subscribed. */
    async emit(event: LiveEvent) {
      await waitFor(() => expect(listeners.size).toBe(1));
      await act(async () => {
        for (const listener of listeners) listener(event);
      });
    },
  };
}

function Path() {
  return <p data-testid="path">{useLocation().pathname}</p>;
}
