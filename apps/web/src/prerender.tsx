import type { Nominee } from '@goty/shared/nominee';
import { CARD_PLACEHOLDER } from '@goty/shared/page-html';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { App, type AppProps } from './app/app.tsx';
import { createObservable } from './base/observable.ts';
import { LOADING } from './live/live-source.ts';
import { ALWAYS_OPEN } from './live/vote-status.ts';
import { createBallotBox } from './vote/ballot-box.ts';
import { createNomineeList } from './vote/nominee-list.ts';

export { API_BASE, AS_PRELOADED } from './base/api-base.ts';

const never = () => new Promise<never>(() => {});

const lastVote = { ...createObservable<string | undefined>(undefined), save() {} };

/** Placeholders: effects, which load the data, do not run in the build. */
const props: AppProps = {
  nominees: createNomineeList(never),
  ballots: createBallotBox({ vote: never, loadDialog: never, lastVote }),
  lastVote,
  live: createObservable(LOADING),
  voteStatus: createObservable(ALWAYS_OPEN),
  connect() {},
  refresh: never,
  watch: () => () => {},
};

/** Returns the HTML of the screen at `path` in its initial state, before any data has loaded. */
export function prerender(path: string, page = props): string {
  return renderToString(
    <StaticRouter location={path}>
      <App {...page} />
    </StaticRouter>,
  );
}

/** Returns the content of `<main>` on goty with cards: by default one, which has placeholders. */
export async function prerenderCards(
  list: readonly Nominee[] = [CARD_PLACEHOLDER],
): Promise<string> {
  const nominees = createNomineeList(async () => list);
  await nominees.ensureLoaded();
  const html = prerender('/goty', { ...props, nominees });
  const cards = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1];
  if (!cards?.includes('<article')) throw new Error('goty was rendered without a card');
  return cards;
}
