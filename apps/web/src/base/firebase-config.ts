import { PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import type { FirebaseOptions } from 'firebase/app';
import { timeout } from './timeout.ts';

/** Firebase Hosting serves the configuration of its project here, so this code contains none. */
const CONFIG_URL = '/__/firebase/init.json';

export type FirebaseConfig = FirebaseOptions & { readonly projectId: string };

/**
 * Loads the configuration of the project that serves the page.
 *
 * @throws if it cannot be loaded, or there is none
 */
export async function loadFirebaseConfig(): Promise<FirebaseConfig> {
  const response = await fetch(CONFIG_URL, { signal: timeout(PAGE_PATIENCE_MS) });
  const config: FirebaseOptions = response.ok ? await response.json() : {};
  const { projectId } = config;
  if (projectId === undefined) throw new Error(`${CONFIG_URL}: ${response.status}`);
  return { ...config, projectId };
}

/** Projects with this prefix exist only in the emulators. */
export function isEmulated({ projectId }: FirebaseConfig): boolean {
  return projectId.startsWith('demo-');
}
