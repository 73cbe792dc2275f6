import { type ReactNode, StrictMode } from 'react';
import { App, type AppProps } from './app.tsx';

interface Props extends AppProps {
  /** Wraps the app in a router: the browser's, or that of the build. */
  readonly inRouter: (app: ReactNode) => ReactNode;
}

/** The whole page: the build and the browser render the same one, so that hydration matches. */
export function Page({ inRouter, ...props }: Props) {
  return <StrictMode>{inRouter(<App {...props} />)}</StrictMode>;
}
