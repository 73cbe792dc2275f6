import { createServer } from 'node:http';
import express from 'express';

// The servers to compare with: `node servers.ts NAME`.

const SERVERS: Record<string, () => void> = {
  /** What the machine and Node cost. The load is fast enough if this server is the limit. */
  http() {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 5 });
      response.end('hello');
    });
    server.listen(0, '127.0.0.1', () => tell(server.address()));
  },
  /** What Express costs, without a vote. */
  express() {
    const app = express();
    app.get('/', (_request, response) => void response.send('hello'));
    const server = app.listen(0, '127.0.0.1', () => tell(server.address()));
  },
  /** The same app, with a commit of its own for each vote. */
  'commit-each': () => void import('./commit-each.ts'),
  /** The store's commit and nothing else. */
  'bare-votes': () => void import('./bare-votes.ts'),
};

SERVERS[process.argv[2] ?? '']?.();

function tell(address: unknown) {
  if (typeof address !== 'object' || address === null || !('port' in address)) return;
  console.log(`open at http://127.0.0.1:${address.port}`);
}
