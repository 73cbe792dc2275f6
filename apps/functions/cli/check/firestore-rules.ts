import { GAMES_COLLECTION as GAMES } from '@goty/shared/protocol';
import type { Home, Probe } from './home.ts';

/**
 * The rules have to refuse all but the first. If they allow the others, nothing is written all the same: the
 * document exists already, nothing of it would change, or a condition of the request is not met.
 */
export function rulesOf(documents: string, ids: Home['ids']): Probe[] {
  const unchanged = 'updateMask.fieldPaths=none&currentDocument.exists=true';
  const refused = [
    ...['ballots', 'settings'].flatMap((name) => [
      `GET ${name}?pageSize=1`,
      `GET ${name}/vote`,
      `PATCH ${name}/goty-check?${unchanged}`,
      `DELETE ${name}/goty-check?currentDocument.exists=true`,
    ]),
    ...ids
      .slice(0, 1)
      .flatMap((id) => [
        `POST ${GAMES}?documentId=${id}`,
        `PATCH ${GAMES}/${id}?${unchanged}`,
        `DELETE ${GAMES}/${id}?currentDocument.updateTime=1970-01-01T00:00:01Z`,
      ]),
  ];
  const json = { headers: { 'Content-Type': 'application/json' }, body: '{}' };
  const at = (request: string) => request.replace(' ', ` ${documents}/`);
  return [
    [at(`GET ${GAMES}?pageSize=1`), ['status: 200']],
    ...refused.map(
      (request): Probe => [at(request), ['status: 403'], /^P/.test(request) ? json : {}],
    ),
  ];
}
