import { PAGE_TIMEOUT_MS } from '@goty/shared/protocol';
import { type FirebaseOptions, initializeApp } from 'firebase/app';
import { timeout } from './request.ts';

/** Firebase Hosting serves the configuration of its project here, so this code contains none. */
const CONFIG_URL = '/__/firebase/init.json';

let connecting: ReturnType<typeof connect> | undefined;

/** @throws if there is no configuration, or it cannot be loaded. The next call tries again */
export function connectToFirebase() {
  connecting ??= connect().catch((error) => {
    connecting = undefined;
    throw error;
  });
  return connecting;
}

async function connect() {
  const response = await fetch(CONFIG_URL, { signal: timeout(PAGE_TIMEOUT_MS) });
  const config: FirebaseOptions = response.ok ? await response.json() : {};
  const { projectId } = config;
  if (projectId === undefined) throw new Error(`${CONFIG_URL}: ${response.status}`);
  return { app: initializeApp(config), isEmulated: projectId.startsWith('demo-') };
}
