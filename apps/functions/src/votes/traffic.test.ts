import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { createTraffic } from './traffic.ts';
import { ballot } from './vote-store-contract.ts';

function setUp(viewers?: () => number) {
  const clock = createTestClock();
  const log = createTestLog();
  const traffic = createTraffic({ clock, log, viewers });
  const commit = traffic.measure(async (ballots) => {
    await clock.advance(ballots.length);
    if (ballots.length === 7) throw new Error('no disk');
    return ballots.map(({ id }) => (id === 'old' ? 'replayed' : 'counted'));
  });
  return { clock, log, traffic, commit };
}

test('P17 a minute with traffic is one line, one without is none', async () => {
  const { clock, log, traffic, commit } = setUp(() => 45);
  await clock.advance(600_000);
  expect(log.lines).toEqual([]);
  await commit([ballot('1', 'a')]);
  await commit([ballot('2', 'a'), ballot('old', 'a')]);
  traffic.refused('too-many-votes');
  traffic.refused('cross-site');
  traffic.refused('too-many-votes');
  await clock.advance(60_000);
  expect(log.lines).toEqual([
    'Traffic of 60 s: 2 votes; 2 commits (median 1.0 ms, p99 2.0 ms); refused: too-many-votes 2, cross-site 1; 45 viewers',
  ]);
  await clock.advance(600_000);
  expect(log.lines).toHaveLength(1);
  traffic.refused('closed');
  await clock.advance(60_000);
  expect(log.lines[1]).toBe('Traffic of 60 s: 0 votes; refused: closed 1; 45 viewers');
});

test('V8 P17 commits that fail are counted apart, and known until one has stored a vote', async () => {
  const { clock, log, traffic, commit } = setUp();
  const group = Array.from({ length: 7 }, (_, id) => ballot(`${id}`, 'a'));
  traffic.checkCommits();
  await expect(commit(group)).rejects.toThrow('no disk');
  await commit([ballot('old', 'a')]);
  expect(() => traffic.checkCommits()).toThrow('votes cannot be stored');
  await commit([ballot('1', 'a')]);
  traffic.checkCommits();
  await expect(commit(group)).rejects.toThrow('no disk');
  await clock.advance(59_000);
  expect(() => traffic.checkCommits()).toThrow('votes cannot be stored');
  // Nobody votes any more, perhaps because of what a monitor has heard.
  await clock.advance(1_000);
  traffic.checkCommits();
  expect(log.lines).toEqual([
    'Traffic of 60 s: 1 vote; 2 commits (median 1.0 ms, p99 1.0 ms); 2 failed commits',
  ]);
});

test('P17 a server that stops tells what it has not told', async () => {
  const { clock, log, traffic, commit } = setUp();
  await commit([ballot('1', 'a')]);
  traffic.close();
  expect(log.lines).toHaveLength(1);
  await commit([ballot('2', 'a')]);
  await clock.advance(600_000);
  expect(log.lines).toHaveLength(1);
});
