import { resolve } from 'node:path';
import { faultOfEventColor } from '@goty/shared/event-color';
import { EVENT_NAME } from '@goty/shared/page-html';
import { isLoopback } from '@goty/shared/protocol';
import { OperatorError } from '../runtime/operator-error.ts';
import { VOTE_POLICIES } from '../votes/vote-store.ts';

export const VARIABLES = [
  'PORT',
  'HOST',
  'DATABASE',
  'NOMINEES',
  'COVERS',
  'VOTE_POLICY',
  'VOTES_PER_MINUTE',
  'TRUST_PROXY',
  'STREAMS_PER_ADDRESS',
  'EMBED_ORIGINS',
  'PUBLIC_URL',
  'EVENT_NAME',
  'EVENT_COLOR',
] as const;

/** A variable with a shorter name is not guessed: too many other names are similar to it. */
const MIN_GUESSED_LENGTH = 6;
const MAX_TYPOS = 2;

type Environment = Readonly<Partial<Record<(typeof VARIABLES)[number], string | undefined>>>;

export type Config = Readonly<ReturnType<typeof readConfig>>;

/**
 * An empty value counts as unset, and relative paths start at `folder`.
 *
 * @throws OperatorError for an invalid value
 */
export function readConfig(environment: Environment, folder: string) {
  return {
    /** `undefined` stands for all addresses of this machine. */
    host: environment.HOST || undefined,
    /** 0 picks a free port. */
    port: readNumber('PORT', environment.PORT || '3000', { max: 65_535 }),
    databasePath: resolve(folder, readDatabase(environment.DATABASE)),
    nomineesPath: resolve(folder, environment.NOMINEES || 'nominees.json'),
    coversFolder: resolve(folder, environment.COVERS || 'covers'),
    policy: readChoice('VOTE_POLICY', environment.VOTE_POLICY || 'unlimited', VOTE_POLICIES),
    /** How many votes an address may send in a minute; 0 for no limit. */
    votesPerMinute: readNumber('VOTES_PER_MINUTE', environment.VOTES_PER_MINUTE || '600'),
    /** How many proxies in front of the server are trusted to say who the client is. */
    trustedProxies: readNumber('TRUST_PROXY', environment.TRUST_PROXY || '0'),
    streamsPerAddress: readNumber('STREAMS_PER_ADDRESS', environment.STREAMS_PER_ADDRESS || '500'),
    embedOrigins: readOriginList('EMBED_ORIGINS', environment.EMBED_ORIGINS),
    /** The origin at which visitors open the page, as in `https://host`; `undefined` if not configured, or a loopback address. */
    publicUrl: readPublicUrl(environment.PUBLIC_URL),
    /** What the operator calls the event, beside GOTY; `undefined` if it has no name. */
    eventName: readEventName(environment.EVENT_NAME),
    eventColor: readEventColor(environment.EVENT_COLOR),
  };
}

/**
 * Reads those of the Function's parameters that can have an invalid value. docs/firebase.md lists all parameters.
 *
 * @throws OperatorError for an invalid value
 */
export function readParameters(values: Readonly<NodeJS.Dict<string>>) {
  const { LISTENERS, SECONDS_BETWEEN_WRITES } = values;
  return {
    policy: readChoice('VOTE_POLICY', values.VOTE_POLICY || 'unlimited', VOTE_POLICIES),
    listeners:
      LISTENERS === 'all'
        ? Number.POSITIVE_INFINITY
        : readNumber('LISTENERS', LISTENERS || '1000', { or: ' or all' }),
    /** The time between two writes of the sums. With more than 5 s, votes would not be answered before their deadline. */
    writeIntervalMs:
      1_000 *
      readNumber('SECONDS_BETWEEN_WRITES', SECONDS_BETWEEN_WRITES || '1', { min: 1, max: 5 }),
    needsToken: readChoice('APP_CHECK', values.APP_CHECK || 'off', ['on', 'off']) === 'on',
    origins: readOrigins(values.CORS_ORIGINS),
  };
}

/** Returns a sentence for each variable that is probably misspelt: nobody would notice that the default stays in effect. */
export function unknownVariables(environment: Readonly<NodeJS.Dict<string>>): string[] {
  const ours: readonly string[] = VARIABLES;
  return Object.keys(environment).flatMap((name) => {
    const word = name.toUpperCase();
    // On Windows `Port` is PORT, too, so that name is right.
    if (ours.includes(word) && environment[word] === environment[name]) return [];
    const similar = ours.find(
      (variable) =>
        variable === word ||
        (variable.length >= MIN_GUESSED_LENGTH && differsByTypos(word, variable, MAX_TYPOS)),
    );
    return similar === undefined ? [] : [`${name} is not a variable of GOTY: is it ${similar}?`];
  });
}

/** Whether one text becomes the other if at most `typos` letters are added, left out or replaced (Levenshtein's distance). */
function differsByTypos(a: string, b: string, typos: number): boolean {
  if (a === '' || b === '') return a.length + b.length <= typos;
  const restOfA = a.slice(1);
  const restOfB = b.slice(1);
  if (a[0] === b[0]) return differsByTypos(restOfA, restOfB, typos);
  const shorter = [
    [restOfA, b],
    [a, restOfB],
    [restOfA, restOfB],
  ] as const;
  return typos > 0 && shorter.some(([a, b]) => differsByTypos(a, b, typos - 1));
}

/** Refuses `~` and variables, which nothing replaces here: the database in a folder of such a name would be a new one. */
function readDatabase(path = '') {
  if (!/^~|\$\{?\w|%\w+%/.test(path)) return path || '.data/goty.sqlite';
  throw new OperatorError(`DATABASE has to be a path without ~ and variables, not "${path}".`);
}

/** @param or names other possible values, for the message */
function readNumber(name: string, text: string, { min = 0, max = 999_999_999, or = '' } = {}) {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= min && value <= max) return value;
  throw new OperatorError(
    `${name} must be a whole number from ${min} to ${max}${or}, not "${text}".`,
  );
}

function readPublicUrl(value: string | undefined): string | undefined {
  if (!value) return undefined;
  const url = URL.parse(value);
  if (url && url.href === `${url.origin}/` && isOrigin(url.origin)) {
    // Visitors cannot open a loopback address, so no link may lead there.
    return isLoopback(url.hostname) ? undefined : url.origin;
  }
  throw new OperatorError(
    `PUBLIC_URL must be an address such as https://vote.example, not "${value}".`,
  );
}

function readEventName(value = ''): string | undefined {
  const name = value.trim();
  if (EVENT_NAME.test(name)) return name || undefined;
  throw new OperatorError(`EVENT_NAME must be one line of at most 60 characters, not "${name}".`);
}

function readEventColor(value = ''): string | undefined {
  const color = value.trim();
  const fault = faultOfEventColor(color);
  if (fault !== undefined) throw new OperatorError(`EVENT_COLOR ${fault}. It is "${color}".`);
  return color || undefined;
}

const ALTERNATIVES = new Intl.ListFormat('en', { type: 'disjunction' });

function readChoice<Choice extends string>(name: string, text: string, choices: readonly Choice[]) {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw new OperatorError(`${name} must be ${ALTERNATIVES.format(choices)}, not "${text}".`);
}

/** The origins whose pages may call the API; `*` for all. */
export function readOrigins(value: string | undefined): '*' | string[] {
  return value === '*' || !value ? '*' : readOriginList('CORS_ORIGINS', value);
}

/** Whether a text is a scheme, a host and perhaps a port, without any character that would end the origin in a header's list. */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[\w.:[\]-]+$/.test(text) && URL.parse(text)?.origin === text;
}

function readOriginList(name: string, value: string | undefined): string[] {
  if (!value) return [];
  const origins = value.split(',').map((origin) => origin.trim());
  if (origins.every(isOrigin)) return origins;
  throw new OperatorError(
    `${name} must be a list such as https://a.example,https://b.example, not "${value}".`,
  );
}
