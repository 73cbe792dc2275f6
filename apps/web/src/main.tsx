import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { API_BASE, fetchNominees, postVote } from './api.ts';
import { App } from './app.tsx';
import { loadDialog } from './dialog.ts';
import { createNomineeList } from './nominee-list.ts';
import { type Services, ServicesProvider } from './services.ts';
import { createVoter } from './voter.ts';

const services: Services = {
  nominees: createNomineeList(fetchNominees),
  vote: createVoter({ post: postVote, wait }),
  loadDialog,
  async loadLive() {
    const { createEventSourceLive } = await import('./live/event-source.ts');
    return createEventSourceLive(`${API_BASE}/goty/live`);
  },
};

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <ServicesProvider value={services}>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </ServicesProvider>
  </StrictMode>,
);
