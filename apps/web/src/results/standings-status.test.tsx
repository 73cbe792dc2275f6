import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StandingsStatus } from './standings-status.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function standings(uno: number, dos: number) {
  return [
    { id: 'a', name: 'Uno', votos: uno },
    { id: 'b', name: 'Dos', votos: dos },
  ];
}

function sentence() {
  return screen.getByRole('status').textContent;
}

test('W23 the status says who leads, and the total', () => {
  render(<StandingsStatus standings={standings(1, 3)} phase="open" />);
  expect(sentence()).toBe(
    'Dos va en cabeza. Con 3 votos (75\u00a0%), 2 más que Uno. Total: 4 votos.',
  );
});

test('W23 a tie names all leaders', () => {
  render(<StandingsStatus standings={standings(2, 2)} phase="open" />);
  expect(sentence()).toBe('Empate en cabeza. Uno y Dos, con 2 votos cada uno. Total: 4 votos.');
});

test('W23 a tie of many games gives their number, not their names', () => {
  const games = Array.from({ length: 4 }, (_, id) => ({ id: `${id}`, name: `J${id}`, votos: 1 }));
  render(<StandingsStatus standings={games} phase="open" />);
  expect(sentence()).toBe('Empate en cabeza. 4 juegos, con 1 voto cada uno. Total: 4 votos.');
});

test('W23 without votes the status says so', () => {
  render(<StandingsStatus standings={standings(0, 0)} phase="open" />);
  expect(sentence()).toBe('Todavía no hay votos. El primero puede ser el tuyo.');
});

test('W23 the status changes at most every ten seconds, to the newest standings', () => {
  const { rerender } = render(<StandingsStatus standings={standings(1, 0)} phase="open" />);
  const first = sentence();
  for (let votes = 2; votes <= 10; votes += 1) {
    act(() => void vi.advanceTimersByTime(1_000));
    rerender(<StandingsStatus standings={standings(votes, 0)} phase="open" />);
    expect(sentence()).toBe(first);
  }
  act(() => void vi.advanceTimersByTime(1_000));
  expect(sentence()).toBe('Uno va en cabeza. Con 10 votos (100\u00a0%). Total: 10 votos.');
});

test('W23 the close is said at once, not after ten seconds', () => {
  const { rerender } = render(<StandingsStatus standings={standings(1, 3)} phase="open" />);
  rerender(<StandingsStatus standings={standings(1, 4)} phase="closed" />);
  expect(sentence()).toMatch(/^Dos es el juego del año\. Con 4 votos/);
});

test('W23 W61 after the close the status names the winner', () => {
  render(<StandingsStatus standings={standings(1, 3)} phase="closed" />);
  expect(sentence()).toMatch(/^Dos es el juego del año\. Con 3 votos/);
});
