import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import type { AppProps } from './app/app.tsx';
import { Page } from './app/page.tsx';
import { createBallotBox } from './vote/ballot-box.ts';
import { createNomineeList } from './vote/nominee-list.ts';

export { API_BASE } from './base/api-base.ts';

const never = () => new Promise<never>(() => {});

/** Nothing is loaded while the page is built: effects do not run. */
const props: AppProps = {
  nominees: createNomineeList(never),
  ballots: createBallotBox({
    vote: never,
    loadDialog: never,
    lastVote: { read: () => undefined, keep() {}, subscribe() {} },
  }),
  loadLive: never,
};

/** The screen of that path as HTML, as it is before anything has come from the server. */
export function prerender(path: string): string {
  return renderToString(
    <Page {...props} inRouter={(app) => <StaticRouter location={path}>{app}</StaticRouter>} />,
  );
}
