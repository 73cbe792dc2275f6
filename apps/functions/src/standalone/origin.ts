import os from 'node:os';
import { isLoopback } from '@goty/shared/protocol';
import { isEverywhere } from './server.ts';

/**
 * Links and QR codes must not lead to `localhost`. The returned function takes the origin at which a page was opened, and returns
 * the origin at which others can open the page, or an empty string. `host` is `undefined` for all addresses.
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
    // The addresses are read for each page, because a laptop may change its network.
    const [first] = networkAddresses();
    return first ? `http://${first.address}:${port}` : '';
  };
}

/** Says where links and QR code lead without PUBLIC_URL, and which addresses of this machine they leave out. */
export function adviceOnPublicUrl(host: string | undefined, port: number): string {
  const [first, ...unused] = isEverywhere(host) ? networkAddresses() : [];
  const unusedText = unused.map(({ name, address }) => `${address} (${name})`).join(', ');
  const local = first && `, and on this machine to http://${first.address}:${port} (${first.name})`;
  return `Set PUBLIC_URL to the address that visitors open: until then, links and QR code lead to where a page was opened${local ?? ''}${unusedText && `, not to ${unusedText}`}.`;
}

/** Adapters of virtual machines, containers and tunnels, by name or hardware address, come last: no phone reaches them. */
const VIRTUAL =
  /^(br-|bridge|cni|docker|ham|lxc|podman|tap|tun|utun|vbox|veth|virbr|vmnet|wg|zt)|hyper-v|tailscale|virtualbox|vmware|wsl|zerotier/i;
const VIRTUAL_MAC = /^(00:50:56|02:42|0a:00:27)/i;
/** Addresses that no phone reaches: those that a system gives itself where no network gives it one, and those of Tailscale. */
const UNREACHABLE = /^(169\.254|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const WIFI = /^(en0$|wl)|wi-?fi|wireless|inal[aá]mbrica/i;

/** Returns the addresses of this machine in its networks, beginning with the address that a phone most probably reaches. */
function networkAddresses() {
  try {
    const addresses = Object.entries(os.networkInterfaces()).flatMap(([name, ofAdapter = []]) =>
      ofAdapter
        .filter(({ family, internal }) => family === 'IPv4' && !internal)
        .map(({ address, mac }) => {
          const isVirtual = VIRTUAL.test(name) || VIRTUAL_MAC.test(mac);
          const isReachable = !isVirtual && !UNREACHABLE.test(address);
          return { name, address, order: isReachable ? Number(!WIFI.test(name)) : 2 };
        }),
    );
    return addresses.toSorted((a, b) => a.order - b.order);
  } catch {
    // The system does not tell the addresses, as under systemd's RestrictAddressFamilies without AF_NETLINK.
    return [];
  }
}
