import { getToken, initializeAppCheck, ReCaptchaEnterpriseProvider } from 'firebase/app-check';
import { connectToFirebase } from '../base/firebase.ts';

/**
 * Gets a token for a vote, a new one if the last has expired. Pages that stay
 * open would renew theirs every hour, and each token is billed.
 *
 * @throws in the standalone home, which has no Firebase
 */
export async function getAppCheckToken(siteKey: string): Promise<string | undefined> {
  const { app, isEmulated } = await connectToFirebase();
  // The emulators have no App Check.
  if (isEmulated) return undefined;
  // Firebase returns one instance for the same options, however often it is called.
  const appCheck = initializeAppCheck(app, {
    provider: new ReCaptchaEnterpriseProvider(siteKey),
    isTokenAutoRefreshEnabled: false,
  });
  return (await getToken(appCheck)).token;
}
