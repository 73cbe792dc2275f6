import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** The head of the answer to a request; rejects when the connection fails first. */
export async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = await once(request, 'response');
  return response;
}
