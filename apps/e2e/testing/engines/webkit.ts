import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { responds, stopGroup } from '@goty/functions/firestore-emulator';
import { freePort } from '@goty/functions/testing/free-port';
import { clickAction, type Driver, keyAction } from './driver.ts';

/** Large enough for a hall. */
const SCREEN = ['-screen', '0', '1920x1200x24'];
const CAPABILITIES = {
  browserName: 'goty',
  pageLoadStrategy: 'none',
  'webkitgtk:browserOptions': {
    binary: resolve(import.meta.dirname, 'webkit-browser.py'),
    args: [],
  },
};
const POLL_MS = 50;
/** For a question, which is asked once more after that: a screenshot often hangs, and the next one does not. */
const QUESTION_MS = 20_000;
/** For what must not be done twice. */
const ACTION_MS = 60_000;
/** To start the browser on a busy machine. */
const START_MS = 120_000;

/** Starts WebKit on a screen of its own, driven by WebDriver: https://www.w3.org/TR/webdriver */
export async function launchWebKit(program: string): Promise<Driver> {
  const { display, screen } = await startScreen();
  const port = await freePort();
  const server = spawn(program, [`--port=${port}`], {
    detached: true,
    stdio: 'ignore',
    // Without a graphics card, the renderer of shared buffers takes as much time as all else.
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_DMABUF_RENDERER: '1' },
  });
  const end = async () => {
    await stopGroup(server);
    await stopGroup(screen);
  };
  const deadline = performance.now() + START_MS;
  while (!(await responds(`127.0.0.1:${port}`))) {
    if (server.exitCode !== null || performance.now() > deadline) {
      await end();
      throw new Error('WebKitWebDriver has ended, or does not answer.');
    }
    await sleep(POLL_MS);
  }
  const sessions = `http://127.0.0.1:${port}/session`;
  const capabilities = { alwaysMatch: CAPABILITIES };
  const { sessionId } = await send('POST', sessions, { capabilities }, START_MS);
  const session = `${sessions}/${sessionId}`;
  const act = (action: object) =>
    send('POST', `${session}/actions`, { actions: [action] }, ACTION_MS);
  const ask = (...words: string[]) => {
    const script = 'webkit.messageHandlers.window.postMessage(arguments[0]).then(arguments[1])';
    return sendAgain('POST', `${session}/execute/async`, { script, args: [words] });
  };
  return {
    navigate: (url) => send('POST', `${session}/url`, { url }, ACTION_MS),
    evaluate: (expression) =>
      sendAgain('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    resize: (width, height) => sendAgain('POST', `${session}/window/rect`, { width, height }),
    setLook: ({ theme, isStill }) => ask('look', theme, isStill ? 'still' : 'moving'),
    click: (x, y) => act(clickAction(x, y)),
    press: (key) => act(keyAction(key)),
    screenshot: async () => Buffer.from(await sendAgain('GET', `${session}/screenshot`), 'base64'),
    print: async () => Buffer.from(await ask('print'), 'base64'),
    takeErrors: async () => JSON.parse(await ask('errors')),
    close: end,
  };
}

/** Starts a screen in memory. `display` is its name, which the server writes once it takes windows. */
async function startScreen() {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp', ...SCREEN], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const written = screen.stdio[3];
  if (!written) throw new Error('Xvfb has no pipe.');
  try {
    const signal = AbortSignal.timeout(START_MS);
    const ended = once(screen, 'exit', { signal });
    const [number] = await Promise.race([once(written, 'data', { signal }), ended]);
    if (screen.exitCode !== null) throw new Error(`Xvfb has ended with ${number}.`);
    return { screen, display: `:${String(number).trim()}` };
  } catch (cause) {
    await stopGroup(screen);
    throw new Error('Xvfb does not start.', { cause });
  }
}

/** Sends what may be done twice, and sends it again if the first time fails. */
function sendAgain(method: 'GET' | 'POST', url: string, body?: object) {
  const ask = () => send(method, url, body, QUESTION_MS);
  return ask().catch(ask);
}

async function send(
  method: 'GET' | 'POST',
  url: string,
  body: object | undefined,
  limitMs: number,
) {
  const signal = AbortSignal.timeout(limitMs);
  const request = { method, signal, body: body ? JSON.stringify(body) : null };
  const response = await fetch(url, request).catch((cause) => {
    // Which command it was, the cause does not say.
    throw new Error(`${method} ${url} ${request.body}`, { cause });
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
