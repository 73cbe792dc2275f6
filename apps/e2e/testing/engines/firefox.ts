import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stopGroup } from '@goty/functions/firestore-emulator';
import { clickAction, type Driver, keyAction } from './driver.ts';

/** Starts Firefox, driven by WebDriver BiDi: https://w3c.github.io/webdriver-bidi */
export async function launchFirefox(program: string): Promise<Driver> {
  const profile = mkdtempSync(join(tmpdir(), 'goty-firefox-'));
  const flags = ['--headless', '--remote-debugging-port=0', '--remote-allow-system-access'];
  const firefox = spawn(program, [...flags, '--profile', profile], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const address = Promise.withResolvers<string>();
  const lines = createInterface(firefox.stderr);
  lines.on('line', (line) => {
    const [, url] = /^WebDriver BiDi listening on (\S+)/.exec(line) ?? [];
    if (url !== undefined) address.resolve(url);
  });
  lines.on('close', () => address.reject(new Error('Firefox has ended.')));
  const { call, errors } = await connect(`${await address.promise}/session`);

  await call('session.new', { capabilities: {} });
  await call('session.subscribe', { events: ['log.entryAdded'] });
  // Not the first tab, which does not have the focus, so that keys press no buttons there.
  const { context } = await call('browsingContext.create', { type: 'tab' });
  const windows = await call('browsingContext.getTree', { 'moz:scope': 'chrome' });
  const evaluate = async (expression: string, of: string) => {
    const target = { context: of };
    const answer = await call('script.evaluate', { expression, target, awaitPromise: true });
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
    return answer.result.value;
  };
  return {
    async navigate(url) {
      await call('browsingContext.navigate', { context, url, wait: 'none' });
    },
    evaluate: (expression) => evaluate(expression, context),
    async resize(width, height) {
      await call('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    async setLook({ theme, isStill }) {
      const set = (name: string, value: number) =>
        `Services.prefs.setIntPref('${name}', ${value});`;
      const scheme = 'layout.css.prefers-color-scheme.content-override';
      const prefs =
        set(scheme, theme === 'dark' ? 0 : 1) + set('ui.prefersReducedMotion', Number(isStill));
      await evaluate(prefs, windows.contexts[0].context);
    },
    async click(x, y) {
      await call('input.performActions', { context, actions: [clickAction(x, y)] });
    },
    async press(key) {
      await call('input.performActions', { context, actions: [keyAction(key)] });
    },
    async screenshot() {
      const { data } = await call('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    async print() {
      const { data } = await call('browsingContext.print', { context, background: true });
      return Buffer.from(data, 'base64');
    },
    takeErrors: async () => errors.splice(0),
    async close() {
      await stopGroup(firefox);
      rmSync(profile, { force: true, recursive: true });
    },
  };
}

/** Connects to a browser. `call` sends a command and resolves with its result, `errors` collects those of the console. */
async function connect(url: string) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const calls = new Map<number, PromiseWithResolvers<ReturnType<typeof JSON.parse>>>();
  const errors: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, error, message, params } = JSON.parse(data);
    if (type === 'success') calls.get(id)?.resolve(result);
    else if (type === 'error') calls.get(id)?.reject(new Error(`${error}: ${message}`));
    else if (params.level === 'error') errors.push(params.text);
  });
  const call = (method: string, params: object) => {
    const id = calls.size;
    const answer = Promise.withResolvers<ReturnType<typeof JSON.parse>>();
    calls.set(id, answer);
    socket.send(JSON.stringify({ id, method, params }));
    return answer.promise;
  };
  return { call, errors };
}
