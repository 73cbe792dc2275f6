import type { Browser } from '@playwright/test';

/**
 * Opens a page in a tab behind another one, as 'Open link in new tab' does. Playwright keeps its own
 * pages visible, so this one is in a browser context that Playwright does not know.
 */
export async function openHidden(browser: Browser, url: string) {
  const session = await browser.newBrowserCDPSession();
  const { browserContextId } = await session.send('Target.createBrowserContext');
  await session.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const tab = { url, browserContextId, background: true };
  const { targetId } = await session.send('Target.createTarget', tab);
  // Not `flatten`: Playwright would not pass the messages of such a session on.
  const { sessionId } = await session.send('Target.attachToTarget', { targetId });

  return {
    /** Returns the value of a JavaScript expression in the page. One at a time. */
    async evaluate(expression: string): Promise<unknown> {
      const params = { expression, returnByValue: true };
      const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params });
      const answer = Promise.withResolvers<string>();
      session.once('Target.receivedMessageFromTarget', ({ message }) => answer.resolve(message));
      await session.send('Target.sendMessageToTarget', { sessionId, message });
      return JSON.parse(await answer.promise).result?.result?.value;
    },
    async [Symbol.asyncDispose]() {
      await session.send('Target.disposeBrowserContext', { browserContextId });
      await session.detach();
    },
  };
}
