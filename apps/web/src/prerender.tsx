import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import type { AppProps } from './app/app.tsx';
import { Page } from './app/page.tsx';
import { createLiveResults } from './live/live-results.ts';
import { createBallotBox } from './vote/ballot-box.ts';
import { createNomineeList } from './vote/nominee-list.ts';

export { API_BASE } from './base/api-base.ts';

const never = () => new Promise<never>(() => {});

/** Placeholders: effects, which load the data, do not run in the build. */
const props: AppProps = {
  nominees: createNomineeList(never),
  ballots: createBallotBox({
    vote: never,
    loadDialog: never,
    lastVote: { read: () => undefined, save() {}, subscribe() {} },
  }),
  live: createLiveResults(never),
};

/** Returns the HTML of the screen at `path` in its initial state, before any data has loaded. */
export function prerender(path: string): string {
  return renderToString(
    <Page {...props} inRouter={(app) => <StaticRouter location={path}>{app}</StaticRouter>} />,
  );
}
