import { GAMES_COLLECTION } from '@goty/shared/protocol';

const COVER_TIMEOUT_MS = 5_000;

/** Returns the URL of the first game's cover; an empty text if no list of games is read in time, or if that game has none. */
export async function readFirstCover(project: string): Promise<string> {
  const documents = `projects/${project}/databases/(default)/documents/${GAMES_COLLECTION}`;
  try {
    const response = await fetch(
      `https://firestore.googleapis.com/v1/${documents}?pageSize=1&mask.fieldPaths=url`,
      { signal: AbortSignal.timeout(COVER_TIMEOUT_MS) },
    );
    // https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents/list
    const { documents: games } = JSON.parse(await response.text());
    return games?.[0]?.fields?.url?.stringValue ?? '';
  } catch {
    return '';
  }
}
