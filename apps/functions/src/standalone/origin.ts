import os from 'node:os';
import { isLoopback } from '@goty/shared/protocol';
import { isEverywhere } from './server.ts';

/**
 * Returns the function that tells at which origin others can open the page, given the one at which it
 * was opened: links and QR codes must not lead to `localhost`. An empty string if there is none.
 *
 * @param publicUrl what the operator has configured, if anything
 * @param host the address that the server listens on; `undefined` for all
 */
export function createPublicOrigin(
  publicUrl: string | undefined,
  host: string | undefined,
  port: number,
): (opened: string) => string {
  return (opened) => {
    if (publicUrl !== undefined) return publicUrl;
    if (!isLoopback(URL.parse(opened)?.hostname ?? '')) return opened;
    if (!isEverywhere(host)) return '';
    try {
      // Asked each time: a laptop changes its network.
      const external = Object.values(os.networkInterfaces())
        .flatMap((addresses = []) => addresses)
        .find(({ family, internal }) => family === 'IPv4' && !internal);
      return external ? `http://${external.address}:${port}` : '';
    } catch {
      // The system does not tell, as systemd's RestrictAddressFamilies without AF_NETLINK.
      return '';
    }
  };
}
