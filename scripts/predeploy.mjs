// `pnpm run predeploy WORKSPACE`: builds a workspace for the Firebase project GCLOUD_PROJECT.
// `firebase deploy` runs it for what it deploys (see firebase.json).
import { build } from './run.mjs';

const { GCLOUD_PROJECT } = process.env;
if (!GCLOUD_PROJECT) {
  console.error('Run `firebase deploy --project ID`: it runs this for each part that it deploys.');
  process.exit(1);
}
// Link previews need absolute image URLs, so the build has to know the origin.
process.env.VITE_ORIGIN ||= `https://${GCLOUD_PROJECT}.web.app`;
// By the first cover of the vote, the build knows whether the vote has the nominees of nominees.json.
const { readFirstCover } = await import('../apps/functions/build/first-cover.ts');
process.env.VITE_COVER ??= await readFirstCover(GCLOUD_PROJECT);
const workspaces = process.argv.slice(2);
if (workspaces.includes('@goty/functions')) {
  console.info("If Google's build fails at pnpm, see 'If the build fails' in docs/firebase.md.");
}
build(...workspaces);
