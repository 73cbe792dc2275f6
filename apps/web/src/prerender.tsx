import type { Nominee } from '@goty/shared/nominee';
import { CARD_PLACEHOLDER } from '@goty/shared/page-html';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { App, type AppProps } from './app/app.tsx';
import { createObservable } from './base/observable.ts';
import { INITIAL_LIVE_STATE } from './live/live-state.ts';
import { createNominees } from './live/nominees.ts';
import { createVoteCaster } from './vote/cast-vote.ts';

export { API_BASE, AS_PRELOADED } from './base/request.ts';

const never = () => new Promise<never>(() => {});

const nothing = () => undefined;
const lastVote = {
  ...createObservable<string | undefined>(undefined),
  votedAt: nothing,
  toSend: () => ({}),
  code: nothing,
  setCode: () => false,
  learn: nothing,
  visitorKey: nothing,
  save: () => false,
};

const known = createObservable(INITIAL_LIVE_STATE);

/** Placeholders for what the screens need: effects, which load the data, do not run in the build. */
const props: AppProps = {
  nominees: createNominees(never),
  caster: createVoteCaster(lastVote, never),
  lastVote,
  known,
  connect: () => () => {},
  refresh: never,
  watch: () => () => {},
  deskFeed: { known, keepAsking: () => () => {}, takeAnswer() {} },
};

export function prerender(path: string, page = props): string {
  return renderToString(
    <StaticRouter location={path}>
      <App {...page} />
    </StaticRouter>,
  );
}

/** Returns the content of `<main>` on goty with cards: by default with one, which has placeholders in place of a nominee. */
export function prerenderCards(list: readonly Nominee[] = [CARD_PLACEHOLDER]): string {
  const nominees = createNominees();
  nominees.state.prerendered = { status: 'ready', nominees: list };
  const html = prerender('/goty', { ...props, nominees });
  const cards = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1];
  if (!cards?.includes('<article')) throw new Error('goty was rendered without a card');
  return cards;
}
