import type { Standing } from '@goty/shared/game';
import type { Page } from '@playwright/test';

/** The backend of the page's live results, for a test to route or replace. */
export interface LiveBackend {
  /** The URL pattern of the requests for the standings. */
  readonly url: string;
  /** The name of the JavaScript chunk that makes these requests. */
  readonly chunk: string;
  /** Replaces the standings of the standalone home. Takes effect when the page is opened next. */
  fakeStandings(standings: readonly Standing[]): Promise<void>;
}

const BACKENDS = {
  standalone: { url: '**/api/goty/live', chunk: 'event-source' },
  cloud: { url: '**/google.firestore.v1.Firestore/Listen/**', chunk: 'firestore-connection' },
};

export function createLiveBackend(page: Page, home: keyof typeof BACKENDS): LiveBackend {
  return {
    ...BACKENDS[home],
    async fakeStandings(standings) {
      await page.addInitScript((data) => {
        class FakeEventSource extends EventTarget {
          onmessage: ((event: MessageEvent) => void) | null = null;
          constructor() {
            super();
            setTimeout(() => this.onmessage?.(new MessageEvent('message', { data })));
          }
          close() {}
        }
        Object.assign(window, { EventSource: FakeEventSource });
      }, JSON.stringify(standings));
    },
  };
}
