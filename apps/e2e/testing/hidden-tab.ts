import type { Browser } from '@playwright/test';

export interface HiddenTab extends AsyncDisposable {
  /** Returns the value of a JavaScript expression in the page. */
  evaluate(expression: string): Promise<unknown>;
}

/**
 * Opens a page in a tab behind another one, as 'Open link in new tab' does. Playwright keeps its own
 * pages visible, so this one is in a browser context that Playwright does not know.
 */
export async function openHidden(browser: Browser, url: string): Promise<HiddenTab> {
  const session = await browser.newBrowserCDPSession();
  const { browserContextId } = await session.send('Target.createBrowserContext');
  await session.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { targetId } = await session.send('Target.createTarget', {
    url,
    browserContextId,
    background: true,
  });
  // Not `flatten`: Playwright would not pass the messages of such a session on.
  const { sessionId } = await session.send('Target.attachToTarget', { targetId });
  const pending = new Map<number, (value: unknown) => void>();
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message);
    pending.get(id)?.(result?.result?.value);
    pending.delete(id);
  });
  let lastId = 0;

  return {
    async evaluate(expression) {
      lastId += 1;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      pending.set(lastId, resolve);
      const params = { expression, returnByValue: true };
      const message = JSON.stringify({ id: lastId, method: 'Runtime.evaluate', params });
      await session.send('Target.sendMessageToTarget', { sessionId, message });
      return promise;
    },
    async [Symbol.asyncDispose]() {
      await session.send('Target.disposeBrowserContext', { browserContextId });
      await session.detach();
    },
  };
}
