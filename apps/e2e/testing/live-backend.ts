import { randomUUID } from 'node:crypto';
import type { Standing } from '@goty/shared/game';
import type { Page } from '@playwright/test';

/** The hands of a test on what the page's live results come from. */
export interface LiveHands {
  /** Of the requests that bring the standing. */
  readonly url: string;
  /** The page's file that makes them. */
  readonly chunk: string;
  /** Puts a standing of the test's own in the place of the real one. */
  fake(standings: readonly Partial<Standing>[]): Promise<void>;
}

/** The standalone home: Server-Sent Events. */
export function openStreamHands(page: Page): LiveHands {
  return {
    url: '**/api/goty/live',
    chunk: '/event-source-',
    async fake(standings) {
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

/** The cloud home: a fake standing is one of another project in the same emulator. */
export function openFirestoreHands(page: Page, host: string): LiveHands {
  return {
    url: '**/google.firestore.v1.Firestore/Listen/**',
    chunk: '/firestore-connection-',
    async fake(standings) {
      const projectId = `demo-${randomUUID()}`;
      const database = `projects/${projectId}/databases/(default)`;
      const writes = standings.map(({ id, ...fields }) => ({
        update: { name: `${database}/documents/goty/${id}`, fields: toFields(fields) },
      }));
      const answer = await fetch(`http://${host}/v1/${database}/documents:commit`, {
        method: 'POST',
        // The emulator takes this token for the server's, which no rule binds.
        headers: { Authorization: 'Bearer owner' },
        body: JSON.stringify({ writes }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      await page.route('**/__/firebase/init.json', (route) =>
        route.fulfill({ json: { projectId, apiKey: 'none' } }),
      );
    },
  };
}

/** https://firebase.google.com/docs/firestore/reference/rest/v1/Value */
function toFields(fields: Readonly<Record<string, string | number>>) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? { stringValue: value } : { doubleValue: value },
    ]),
  );
}
