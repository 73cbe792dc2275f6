import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { portOf } from '@goty/functions/server';

/** The line between a page and its home, so that a test needs nothing of the engine to cut it. */
export async function openLine(home: string) {
  const { hostname, port } = new URL(home);
  const requests: string[] = [];
  let lost: RegExp | undefined;
  let held: RegExp | undefined;
  let restored = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    requests.push(`${method} ${path}`);
    if (held?.test(path)) await restored.promise;
    if (lost?.test(path)) return void request.destroy();
    // The home may close a connection that is kept just when it is used again.
    const to = { agent: false, hostname, port, method, path, headers };
    const upstream = send(to, (answer) => {
      // Of what is in the browser's cache, no request would come.
      const uncached = { ...answer.headers, 'cache-control': 'no-store' };
      response.writeHead(answer.statusCode ?? 502, uncached);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    /** Ends all connections, and loses the requests for these paths until `restore`. */
    cut(paths = /^/) {
      lost = paths;
      server.closeAllConnections();
    },
    /** Holds the requests for these paths until `restore`. */
    hold(paths: RegExp) {
      held = paths;
    },
    restore() {
      lost = undefined;
      held = undefined;
      restored.resolve();
      restored = Promise.withResolvers();
    },
    count: (method: string, path: RegExp) =>
      requests.filter((each) => each.startsWith(`${method} `) && path.test(each)).length,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
