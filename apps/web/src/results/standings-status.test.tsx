import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StandingStatus } from './standing-status.tsx';

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

test('W23 the status tells who leads and the total', () => {
  render(<StandingStatus standings={standings(1, 3)} />);
  expect(sentence()).toBe('Dos va en cabeza con 3 votos. Total: 4 votos.');
});

test('W23 games that lead together are told together', () => {
  render(<StandingStatus standings={standings(2, 2)} />);
  expect(sentence()).toBe(
    'Empate en cabeza entre Uno y Dos, con 2 votos cada uno. Total: 4 votos.',
  );
});

test('W23 many games that lead together are counted, not named', () => {
  const games = Array.from({ length: 4 }, (_, id) => ({ id: `${id}`, name: `J${id}`, votos: 1 }));
  render(<StandingStatus standings={games} />);
  expect(sentence()).toBe('Empate en cabeza entre 4 juegos, con 1 voto cada uno. Total: 4 votos.');
});

test('W23 without votes it says so', () => {
  render(<StandingStatus standings={standings(0, 0)} />);
  expect(sentence()).toBe('Todavía no hay votos.');
});

test('W23 it tells the standing at most every ten seconds, and then the newest', () => {
  const { rerender } = render(<StandingStatus standings={standings(1, 0)} />);
  const first = sentence();
  for (let votes = 2; votes <= 10; votes += 1) {
    act(() => void vi.advanceTimersByTime(1_000));
    rerender(<StandingStatus standings={standings(votes, 0)} />);
    expect(sentence()).toBe(first);
  }
  act(() => void vi.advanceTimersByTime(1_000));
  expect(sentence()).toBe('Uno va en cabeza con 10 votos. Total: 10 votos.');
});
