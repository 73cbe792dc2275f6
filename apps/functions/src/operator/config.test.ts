import { expect, test } from 'vitest';
import { readConfig, readParameters, unknownVariables } from './config.ts';

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
    EVENT_NAME: ' Gala "de" la Revista & <2026> ',
    EVENT_COLOR: ' #E4002b ',
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
    eventName: 'Gala "de" la Revista & <2026>',
    eventColor: '#E4002b',
  });
  expect(readConfig({ EVENT_NAME: ' ' }, '/project').eventName).toBeUndefined();
  expect(readConfig({ EVENT_NAME: '🏆'.repeat(60) }, '/project').eventName).toHaveLength(120);
  // At a loopback address, nobody else can open the page.
  for (const PUBLIC_URL of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:80']) {
    expect(readConfig({ PORT: '', PUBLIC_URL }, '/project')).toEqual(readConfig({}, '/project'));
  }
});

test.each([
  [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535, not "http".'],
  [{ DATABASE: '~/goty.sqlite' }, 'DATABASE has to be a path without ~ and variables, not "~/'],
  [{ DATABASE: '$HOME/goty.sqlite' }, 'DATABASE has to be a path without ~ and variables'],
  [{ DATABASE: '%APPDATA%\\goty.sqlite' }, 'DATABASE has to be a path without ~ and variables'],
  [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535, not "65536".'],
  [
    { VOTE_POLICY: 'two' },
    'VOTE_POLICY must be unlimited, one-per-visitor, or one-per-code, not "two".',
  ],
  [{ VOTES_PER_MINUTE: '-1' }, 'VOTES_PER_MINUTE must be a whole number from 0 to 999999999'],
  [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY must be a whole number from 0 to 999999999, not "true".'],
  [{ EMBED_ORIGINS: 'a.example' }, 'EMBED_ORIGINS must be a list such as https://a.example'],
  [{ EMBED_ORIGINS: 'https://a.example;sandbox' }, 'EMBED_ORIGINS must be a list such as https://'],
  [{ PUBLIC_URL: "https://a.example'" }, 'PUBLIC_URL must be an address such as https://'],
  [{ PUBLIC_URL: 'a.example' }, 'PUBLIC_URL must be an address such as https://vote.example, not'],
  [{ PUBLIC_URL: 'localhost:3000' }, 'PUBLIC_URL must be an address such as https://vote.example'],
  [{ PUBLIC_URL: 'https://a.example/goty' }, 'PUBLIC_URL must be an address such as https://'],
  [{ EVENT_NAME: 'é'.repeat(61) }, 'EVENT_NAME must be one line of at most 60 characters, not "é'],
  [{ EVENT_NAME: 'Gala\nde la Revista' }, 'EVENT_NAME must be one line of at most 60 characters'],
  [{ EVENT_NAME: 'Gala\u2028de la Revista' }, 'EVENT_NAME must be one line of at most 60'],
  [{ EVENT_COLOR: 'red' }, 'EVENT_COLOR must be a colour such as #e4002b. It is "red".'],
  [{ EVENT_COLOR: '#001133' }, 'EVENT_COLOR is too dark to be seen on the dark pages'],
])('P3 the configuration %j is refused', (environment, message) => {
  expect(() => readConfig(environment, '/project')).toThrow(message);
});

const LIST = ['https://a.example', 'http://localhost:5173'];

test.each([
  ['VOTE_POLICY', 'policy', { '': 'unlimited', 'one-per-code': 'one-per-code' }],
  ['APP_CHECK', 'needsToken', { on: true, off: false, '': false }],
  ['LISTENERS', 'listeners', { '': 1_000, 0: 0, 250: 250, all: Infinity }],
  ['CORS_ORIGINS', 'origins', { '': '*', '*': '*', [LIST.join(', ')]: LIST }],
  ['SECONDS_BETWEEN_WRITES', 'writeIntervalMs', { 1: 1_000, 5: 5_000, '': 1_000 }],
] as const)('P2 F4 F11 G7 L12 the parameter %s is read', (name, key, values) => {
  for (const [text, value] of Object.entries(values)) {
    expect(readParameters({ [name]: text })[key]).toEqual(value);
  }
  expect(readParameters({})).toEqual(readParameters({ [name]: '' }));
});

test.each([
  ['APP_CHECK', ['true'], 'be on or off, not'],
  ['LISTENERS', ['-1', 'none', '1.5'], 'be a whole number from 0 to 999999999 or all, not'],
  [
    'CORS_ORIGINS',
    ['a.example', 'https://a.example/', 'https://a.example,', 'https://a.example,*'],
    'be a list',
  ],
  ['SECONDS_BETWEEN_WRITES', ['0', '6', '1.5', '-1', 'one'], 'be a whole number from 1 to 5, not'],
])('F4 F11 G7 L12 the parameter %s cannot be one of %j', (name, values, message) => {
  for (const value of values) {
    expect(() => readParameters({ [name]: value })).toThrow(`${name} must ${message}`);
  }
});

test('P2 a misspelt variable is named, with the one that was probably meant, and no other', () => {
  const told = (name: string) => unknownVariables({ [name]: 'x' });
  for (const name of ['VOTE_POLCY', 'VOTEPOLICY', 'vote_policy', 'VOTE_POLICE', 'VOTE_POLICYXX']) {
    expect(told(name)).toEqual([`${name} is not a variable of GOTY: is it VOTE_POLICY?`]);
  }
  for (const other of [
    'PORT',
    'HOST',
    'POSIX',
    'PATH',
    'DATABASE_URL',
    'HOSTNAME',
    'VOTE_POLIXXX',
  ]) {
    expect(told(other)).toEqual([]);
  }
});
