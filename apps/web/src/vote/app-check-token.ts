import { getApps, initializeApp } from 'firebase/app';
import { getToken, initializeAppCheck, ReCaptchaEnterpriseProvider } from 'firebase/app-check';
import { isEmulated, loadFirebaseConfig } from '../base/firebase-config.ts';

/**
 * Starts App Check for this page. It gets a new token for a vote if the last one has expired. Pages that stay
 * open would renew theirs every hour, and each token is billed.
 *
 * @returns the function that resolves with the token
 * @throws in the standalone home, which has no Firebase
 */
export async function startAppCheck(siteKey: string): Promise<() => Promise<string | undefined>> {
  const config = await loadFirebaseConfig();
  // The emulators have no App Check.
  if (isEmulated(config)) return async () => undefined;
  const appCheck = initializeAppCheck(getApps()[0] ?? initializeApp(config), {
    provider: new ReCaptchaEnterpriseProvider(siteKey),
    isTokenAutoRefreshEnabled: false,
  });
  return async () => (await getToken(appCheck)).token;
}
