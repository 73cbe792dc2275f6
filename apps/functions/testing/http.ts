import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** The response to a request, with its body still unread. Rejects if the connection fails first. */
export async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = await once(request, 'response');
  return response;
}
