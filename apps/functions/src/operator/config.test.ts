import { expect, test } from 'vitest';
import { readConfig, readParameters } from './config.ts';

test('P2 everything can be set, and an empty port is the default', () => {
  const environment = {
    PORT: '8080',
    HOST: '127.0.0.1',
    DATABASE: 'votes/year.sqlite',
    NOMINEES: '/etc/nominees.json',
    COVERS: 'my/covers',
    VOTE_POLICY: 'one-per-visitor',
    VOTES_PER_MINUTE: '0',
    TRUST_PROXY: '2',
    STREAMS_PER_ADDRESS: '5000',
    EMBED_ORIGINS: 'https://a.example, http://b.example:8080',
    PUBLIC_URL: 'https://vote.example/',
  };
  expect(readConfig(environment, '/project')).toEqual({
    host: '127.0.0.1',
    port: 8080,
    databasePath: '/project/votes/year.sqlite',
    nomineesPath: '/etc/nominees.json',
    coversFolder: '/project/my/covers',
    policy: 'one-per-visitor',
    votesPerMinute: 0,
    trustedProxies: 2,
    streamsPerAddress: 5_000,
    embedOrigins: ['https://a.example', 'http://b.example:8080'],
    publicUrl: 'https://vote.example',
  });
  expect(readConfig({ PORT: '' }, '/project')).toEqual(readConfig({}, '/project'));
});

test.each([
  [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535, not "http".'],
  [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535, not "65536".'],
  [{ VOTE_POLICY: 'two' }, 'VOTE_POLICY must be unlimited or one-per-visitor, not "two".'],
  [
    { VOTES_PER_MINUTE: '-1' },
    'VOTES_PER_MINUTE must be a whole number from 0 to 999999999, not "-1".',
  ],
  [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY must be a whole number from 0 to 999999999, not "true".'],
  [{ EMBED_ORIGINS: 'a.example' }, 'EMBED_ORIGINS must be a list such as https://a.example'],
  [{ EMBED_ORIGINS: 'https://a.example;sandbox' }, 'EMBED_ORIGINS must be a list such as https://'],
  [{ PUBLIC_URL: "https://a.example'" }, 'PUBLIC_URL must be an address such as https://'],
  [
    { PUBLIC_URL: 'vote.example' },
    'PUBLIC_URL must be an address such as https://vote.example, not',
  ],
  [{ PUBLIC_URL: 'localhost:3000' }, 'PUBLIC_URL must be an address such as https://vote.example'],
  [{ PUBLIC_URL: 'https://a.example/goty' }, 'PUBLIC_URL must be an address such as https://'],
])('P3 the configuration %j is refused', (environment, message) => {
  expect(() => readConfig(environment, '/project')).toThrow(message);
});

/** What becomes of one parameter with these values. */
function readAll(name: string, values: readonly (string | undefined)[]) {
  return values.map((value) => readParameters({ [name]: value }));
}

test('P2 F11 without a value, votes are unlimited, and App Check is off', () => {
  const policies = readAll('VOTE_POLICY', ['', 'one-per-visitor']).map(({ policy }) => policy);
  expect(policies).toEqual(['unlimited', 'one-per-visitor']);
  const states = readAll('APP_CHECK', ['on', 'off', '', undefined]);
  expect(states.map(({ needsToken }) => needsToken)).toEqual([true, false, false, false]);
  expect(() => readAll('APP_CHECK', ['true'])).toThrow('APP_CHECK must be on or off, not "true".');
});

test('L12 LISTENERS is a number, or all', () => {
  const numbers = readAll('LISTENERS', ['', '0', '250', 'all']).map(({ listeners }) => listeners);
  expect(numbers).toEqual([1_000, 0, 250, Infinity]);
  for (const value of ['-1', 'none', '1.5']) {
    expect(() => readAll('LISTENERS', [value])).toThrow(
      'LISTENERS must be a whole number from 0 to 999999999 or all, not',
    );
  }
});

test('F4 CORS_ORIGINS is * or a list of origins', () => {
  const list = ['https://a.example', 'http://localhost:5173'];
  const read = readAll('CORS_ORIGINS', ['', '*', list.join(', ')]);
  expect(read.map(({ origins }) => origins)).toEqual(['*', '*', list]);
  for (const value of ['a.example', ...['/', ',', ',*'].map((end) => `https://a.example${end}`)]) {
    expect(() => readAll('CORS_ORIGINS', [value])).toThrow(/^CORS_ORIGINS must be a list/);
  }
});

test('G7 the seconds between writes are 1 to 5', () => {
  const intervals = readAll('SECONDS_BETWEEN_WRITES', ['1', '5', '', undefined]);
  expect(intervals.map((read) => read.writeIntervalMs)).toEqual([1_000, 5_000, 1_000, 1_000]);
  for (const value of ['0', '6', '1.5', '-1', 'one']) {
    expect(() => readAll('SECONDS_BETWEEN_WRITES', [value])).toThrow(
      'SECONDS_BETWEEN_WRITES must be',
    );
  }
});
