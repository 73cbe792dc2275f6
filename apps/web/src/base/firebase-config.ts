import { PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import type { FirebaseOptions } from 'firebase/app';

/** Firebase Hosting serves the configuration of its project here, so this code contains none. */
const CONFIG_URL = '/__/firebase/init.json';

export type FirebaseConfig = FirebaseOptions & { readonly projectId: string };

/**
 * Loads the configuration of the project that serves the page.
 *
 * @returns `undefined` if there is no valid one
 * @throws if it cannot be loaded: no connection, timeout, 5xx or truncated body
 */
export async function loadFirebaseConfig(): Promise<FirebaseConfig | undefined> {
  const response = await fetch(CONFIG_URL, { signal: AbortSignal.timeout(PAGE_PATIENCE_MS) });
  if (response.status >= 500) throw new Error(`${CONFIG_URL}: ${response.status}`);
  if (!response.ok) return undefined;
  const config = await readJson(response);
  return isConfig(config) ? config : undefined;
}

/** Projects with this prefix exist only in the emulators. */
export function isEmulated({ projectId }: FirebaseConfig): boolean {
  return projectId.startsWith('demo-');
}

function isConfig(config: unknown): config is FirebaseConfig {
  return (
    typeof config === 'object' &&
    config !== null &&
    'projectId' in config &&
    typeof config.projectId === 'string'
  );
}

/** Resolves with `undefined` if the body is not JSON. Rejects if it is truncated. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
