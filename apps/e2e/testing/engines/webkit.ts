import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { responds, stopGroup } from '@goty/functions/firestore-emulator';
import { freePort } from '@goty/functions/testing/free-port';
import { clickAction, type Driver, keyAction } from './driver.ts';

/** Large enough for a hall. */
const SCREEN = '-screen 0 1920x1200x24';
const CAPABILITIES = {
  browserName: 'goty',
  pageLoadStrategy: 'none',
  'webkitgtk:browserOptions': {
    binary: resolve(import.meta.dirname, 'webkit-browser.py'),
    args: [],
  },
};
const POLL_MS = 50;
/** Long enough for any command. A screenshot often hangs, and the next one does not. */
const COMMAND_MS = 20_000;
/** To start the browser on a busy machine. */
const START_MS = 120_000;

/** Starts WebKit on a screen of its own, driven by WebDriver: https://www.w3.org/TR/webdriver */
export async function launchWebKit(program: string): Promise<Driver> {
  const port = await freePort();
  const server = spawn('xvfb-run', ['-a', '-s', SCREEN, program, `--port=${port}`], {
    detached: true,
    stdio: 'ignore',
  });
  while (!(await responds(`127.0.0.1:${port}`))) {
    if (server.exitCode !== null) throw new Error('WebKitWebDriver has ended.');
    await sleep(POLL_MS);
  }
  const sessions = `http://127.0.0.1:${port}/session`;
  const capabilities = { alwaysMatch: CAPABILITIES };
  const { sessionId } = await send('POST', sessions, { capabilities }, START_MS);
  const session = `${sessions}/${sessionId}`;
  const act = (action: object) => send('POST', `${session}/actions`, { actions: [action] });
  const ask = (...words: string[]) => {
    const script = 'webkit.messageHandlers.window.postMessage(arguments[0]).then(arguments[1])';
    return send('POST', `${session}/execute/async`, { script, args: [words] });
  };
  return {
    navigate: (url) => send('POST', `${session}/url`, { url }),
    evaluate: (expression) =>
      send('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    resize: (width, height) => send('POST', `${session}/window/rect`, { width, height }),
    setLook: ({ theme, isStill }) => ask('look', theme, isStill ? 'still' : 'moving'),
    click: (x, y) => act(clickAction(x, y)),
    press: (key) => act(keyAction(key)),
    async screenshot() {
      const take = () => send('GET', `${session}/screenshot`);
      return Buffer.from(await take().catch(take), 'base64');
    },
    print: async () => Buffer.from(await ask('print'), 'base64'),
    takeErrors: async () => JSON.parse(await ask('errors')),
    close: () => stopGroup(server),
  };
}

async function send(method: 'GET' | 'POST', url: string, body?: object, limitMs = COMMAND_MS) {
  const signal = AbortSignal.timeout(limitMs);
  const response = await fetch(url, { method, signal, body: body ? JSON.stringify(body) : null });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
