import { randomUUID } from 'node:crypto';
import type { Standing } from '@goty/shared/game';
import type { Page } from '@playwright/test';

/** The backend of the page's live results, for a test to route or replace. */
export interface LiveBackend {
  /** The URL pattern of the requests for the standings. */
  readonly url: string;
  /** A part of the path of the JavaScript chunk that makes these requests. */
  readonly chunk: string;
  /** Replaces the real standings. Takes effect when the page is opened next. */
  fakeStandings(standings: readonly Partial<Standing>[]): Promise<void>;
}

/** The backend in the standalone home: Server-Sent Events. */
export function createEventStreamBackend(page: Page): LiveBackend {
  return {
    url: '**/api/goty/live',
    chunk: '/event-source-',
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

/**
 * The backend in the cloud home. Fake standings are those of a new project in the same emulator.
 *
 * @param host `host:port` of the emulator
 */
export function createFirestoreBackend(page: Page, host: string): LiveBackend {
  return {
    url: '**/google.firestore.v1.Firestore/Listen/**',
    chunk: '/firestore-connection-',
    async fakeStandings(standings) {
      const projectId = `demo-${randomUUID()}`;
      const database = `projects/${projectId}/databases/(default)`;
      const writes = standings.map(({ id, ...fields }) => ({
        update: { name: `${database}/documents/goty/${id}`, fields: toFields(fields) },
      }));
      const response = await fetch(`http://${host}/v1/${database}/documents:commit`, {
        method: 'POST',
        // The emulator treats this token as an admin's, to whom no rules apply.
        headers: { Authorization: 'Bearer owner' },
        body: JSON.stringify({ writes }),
      });
      if (!response.ok) throw new Error(await response.text());
      await page.route('**/__/firebase/init.json', (route) =>
        route.fulfill({ json: { projectId, apiKey: 'none' } }),
      );
    },
  };
}

/** Encodes fields for https://firebase.google.com/docs/firestore/reference/rest/v1/Value. */
function toFields(fields: Readonly<Record<string, string | number>>) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? { stringValue: value } : { doubleValue: value },
    ]),
  );
}
