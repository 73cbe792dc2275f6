import { API_PATHS, API_PREFIX, IDEMPOTENCY_KEY } from '@goty/shared/protocol';

/** The head of a vote as the page sends it, whose body of `length` bytes has to follow. */
export function headOfVote(game: string, key: string, length: number): string {
  return [
    `POST ${API_PREFIX}${API_PATHS.vote(game)} HTTP/1.1`,
    'Host: localhost',
    `${IDEMPOTENCY_KEY}: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n');
}

/** The request for a stream of standings. */
export const STREAM_HEAD = `GET ${API_PREFIX}${API_PATHS.live} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
