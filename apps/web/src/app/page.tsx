import { type ReactNode, StrictMode } from 'react';
import { type Services, ServicesProvider } from '../services.ts';
import { App } from './app.tsx';

interface Props {
  readonly services: Services;
  /** Puts the app into a router: the browser's, or that of the build. */
  readonly inRouter: (app: ReactNode) => ReactNode;
}

/** The whole page. The build and the browser draw the same one, so that the one can go on from the other. */
export function Page({ services, inRouter }: Props) {
  return (
    <StrictMode>
      <ServicesProvider value={services}>{inRouter(<App />)}</ServicesProvider>
    </StrictMode>
  );
}
