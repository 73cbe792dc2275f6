import { getToken, initializeAppCheck, ReCaptchaEnterpriseProvider } from 'firebase/app-check';
import { connectToFirebase } from '../base/firebase.ts';

/**
 * The SDK does not refresh tokens by itself, because each token is billed, and pages that stay open would get one every hour.
 *
 * @returns `undefined` on the emulators, which have no App Check
 * @throws if there is no token, as in the standalone home, which has no Firebase, or if a blocker stops reCAPTCHA
 */
export async function getAppCheckToken(siteKey: string): Promise<string | undefined> {
  const { app, isEmulated } = await connectToFirebase();
  if (isEmulated) return undefined;
  // Firebase returns the same instance for the same options, so each vote may ask for it.
  const appCheck = initializeAppCheck(app, {
    provider: new ReCaptchaEnterpriseProvider(siteKey),
    isTokenAutoRefreshEnabled: false,
  });
  return (await getToken(appCheck)).token;
}
