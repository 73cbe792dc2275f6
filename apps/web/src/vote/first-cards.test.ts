import type { VoteResponse } from '@goty/shared/game';
import { buildNominee } from '@goty/shared/testing/nominee';
import { screen } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { COUNTED } from '../../testing/builders.ts';
import { createFakes, hydrate } from '../../testing/render-page.tsx';
import { createLastVote } from '../live/last-vote.ts';
import { createNominees } from '../live/nominees.ts';
import { prerender, prerenderCards } from '../prerender.tsx';
import { createVoteCaster } from './cast-vote.ts';
import { castFirstPresses, FIRST_COVERS, showFirstCards } from './first-cards.ts';

const NOMINEES = [
  buildNominee({ id: 'a', name: '<b>A</b> & "$&"', url: '/covers/a.svg?x=1&y="2"' }),
  buildNominee({ id: 'b-2_B', name: '__id__', url: 'javascript:alert(1)' }),
  ...Array.from({ length: FIRST_COVERS }, (_, index) => buildNominee({ id: `c${index}` })),
];

const nominees = createNominees(async () => NOMINEES);
await nominees.ensureLoaded();

beforeEach(() => {
  document.body.innerHTML = `<main>loading</main><template>${prerenderCards()}</template>`;
});

test('W80 the first cards are exactly those that React renders, and shown once', () => {
  showFirstCards(nominees);
  expect(nominees.state.prerendered).toMatchObject({ nominees: NOMINEES });
  const rendered = document.createElement('main');
  rendered.innerHTML = prerenderCards(NOMINEES);
  expect(document.querySelector('main')?.innerHTML).toBe(rendered.innerHTML);
  document.querySelector('main')?.replaceChildren('React');
  showFirstCards(nominees);
  expect(document.body.textContent).toBe('React');
});

test('W80 a list that comes while React takes over the skeleton is shown, without a mismatch', async () => {
  document.body.innerHTML = prerender('/goty');
  const { props } = createFakes();
  await props.nominees.ensureLoaded();
  const errors = hydrate('/goty', props);
  await screen.findByRole('article', { name: 'Hades II' });
  expect(errors).toEqual([]);
});

test('W81 a press is cast once and marks the cards until the vote has ended', async () => {
  const response = Promise.withResolvers<VoteResponse>();
  const votes: string[] = [];
  const caster = createVoteCaster(
    createLastVote(),
    async () => async () => false,
    async (gameId) => {
      votes.push(gameId);
      return { response: await response.promise, state: 'decided' };
    },
  );
  const stop = castFirstPresses(caster);
  onTestFinished(stop);
  showFirstCards(nominees);
  const [first, second] = document.querySelectorAll('button');
  const marks = () => [first, second].map((card) => [card?.ariaBusy, card?.ariaDisabled]);
  document.querySelector('h2')?.click();
  expect(votes).toEqual([]);
  first?.click();
  second?.click();
  first?.click();
  expect(votes).toEqual(['a']);
  expect(marks().join(' ')).toBe('true,true false,true');
  response.resolve(COUNTED);
  await caster.settled();
  expect(marks().join(' ')).toBe('false,false false,false');
  second?.click();
  stop();
  await caster.settled();
  first?.click();
  expect(votes).toEqual(['a', 'b-2_B']);
});
