import type { Standing, VoteResponse } from '@goty/shared/game';
import { buildNominee } from '@goty/shared/testing/nominee';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { vi } from 'vitest';
import { App } from '../src/app/app.tsx';
import { createObservable } from '../src/base/observable.ts';
import { createLastVote } from '../src/live/last-vote.ts';
import {
  ALWAYS_OPEN,
  INITIAL_LIVE_STATE,
  type LiveState,
  type VoteStatus,
} from '../src/live/live-state.ts';
import { createNominees, type LoadNominees } from '../src/live/nominees.ts';
import { createVoteCaster } from '../src/vote/cast-vote.ts';
import { buildLive, COUNTED } from './builders.ts';

const BLUE_PRINCE = buildNominee({ id: 'blue-prince', name: 'Blue Prince' });
export const HADES = buildNominee({ id: 'hades-2', name: 'Hades II' });

export const HADES_LEADS: readonly Standing[] = [
  { id: 'blue-prince', name: 'Blue Prince', votos: 1 },
  { id: 'hades-2', name: 'Hades II', votos: 12 },
];

interface Options {
  readonly path?: string;
  readonly load?: LoadNominees;
  readonly vote?: (gameId: string) => Promise<VoteResponse>;
}

/** Creates fakes for the server and the dialog, and the page's props with them. */
export function createFakes(options: Options = {}) {
  const { load = async () => [BLUE_PRINCE, HADES], vote = async () => COUNTED } = options;
  const known = createObservable(INITIAL_LIVE_STATE);
  const stop = vi.fn();
  const lastVote = createLastVote();
  lastVote.learn({ voteId: 'v' });
  const outcomes: VoteResponse[] = [];
  const votes = vi.fn(vote);
  const caster = createVoteCaster(
    lastVote,
    async () => async (response) => outcomes.push(response) < 0,
    async (gameId) => ({ response: await votes(gameId), state: 'decided' }),
  );
  const nominees = createNominees(load);
  return {
    props: {
      nominees,
      caster,
      lastVote,
      known,
      connect: () => () => {},
      refresh: vi.fn(),
      watch: () => stop,
      deskFeed: { known, keepAsking: () => () => {}, takeAnswer() {} },
    },
    /** Ends what inicio watches. */
    stop,
    outcomes,
    /** Returns the ids of the games that were voted for. */
    votes: () => votes.mock.calls.map(([gameId]) => gameId),
  };
}

/**
 * Renders the whole page with fakes.
 *
 * @param options `path` is /inicio by default, `load` returns two nominees, and `vote` succeeds
 * @returns the user, the current path, and what the fakes have recorded
 */
export function renderPage({ path = '/inicio', ...options }: Options = {}) {
  const { props, ...recorded } = createFakes(options);
  render(
    <MemoryRouter initialEntries={['/before', path]}>
      <App {...props} />
      <Path />
    </MemoryRouter>,
  );
  return {
    ...recorded,
    user: userEvent.setup(),
    path: () => screen.getByTestId('path').textContent,
    refresh: props.refresh,
    /** Tells the page the vote's status, as far as it is not that of a vote without times. */
    setStatus: (status: Partial<VoteStatus>) =>
      act(async () =>
        props.known.set({
          ...props.known.get(),
          status: { ...ALWAYS_OPEN, ...status },
        }),
      ),
    /** Tells the page the standings, by default `HADES_LEADS`. */
    emit: (
      { standings, connection }: Pick<LiveState, 'standings' | 'connection'> = buildLive(
        HADES_LEADS,
      ),
    ) => act(async () => props.known.set({ ...props.known.get(), standings, connection })),
  };
}

/** Lets React take over the prerendered document. Returns the mismatches that it finds. */
export function hydrate(path: string, props: ComponentProps<typeof App>): readonly unknown[] {
  const errors: unknown[] = [];
  render(
    <MemoryRouter initialEntries={[path]}>
      <App {...props} />
    </MemoryRouter>,
    {
      container: document.body,
      hydrate: true,
      onRecoverableError: (error) => errors.push(error),
    },
  );
  return errors;
}

/** Renders goty, and returns the card of Hades II and its button, too, once they are shown. */
export async function renderGoty(options?: Options) {
  const page = renderPage({ path: '/goty', ...options });
  const card = await screen.findByRole('article', { name: 'Hades II' });
  return { ...page, card, button: within(card).getByRole('button') };
}

function Path() {
  return <p data-testid="path">{useLocation().pathname}</p>;
}
