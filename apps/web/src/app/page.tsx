import { type ReactNode, StrictMode } from 'react';
import { App, type AppProps } from './app.tsx';

interface Props extends AppProps {
  /** Wraps the app in a router: BrowserRouter in the browser, StaticRouter in the build. */
  readonly inRouter: (app: ReactNode) => ReactNode;
}

/** The whole page. The build and the browser render the same tree, so that it can hydrate. */
export function Page({ inRouter, ...props }: Props) {
  return <StrictMode>{inRouter(<App {...props} />)}</StrictMode>;
}
