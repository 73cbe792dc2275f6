import { readFileSync } from 'node:fs';
import os, { type NetworkInterfaceInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PROJECT_ROOT } from '../runtime/project-root.ts';
import { adviceOnPublicUrl, createPublicOrigin } from './origin.ts';

function address(address: string, internal = false): NetworkInterfaceInfo {
  return { address, internal, family: 'IPv4', netmask: '', mac: '', cidr: null };
}

const NETWORK = {
  lo: [address('127.0.0.1', true)],
  wlan0: [{ ...address('fe80::1'), family: 'IPv6', scopeid: 0 } as const, address('192.168.1.7')],
  eth0: [address('10.0.0.2')],
};

/** What the page is told if it was opened at this origin of a server without PUBLIC_URL. */
function told(opened: string, host?: string, network: typeof NETWORK | object = NETWORK) {
  const interfaces = vi.spyOn(os, 'networkInterfaces').mockReturnValue({ ...network });
  onTestFinished(() => interfaces.mockRestore());
  return createPublicOrigin(undefined, host, 3000)(opened);
}

const OTHERS = ['http://10.0.0.2:3000', 'https://vote.example', 'http://127-0-0-1.example', ''];
const LOCAL = ['http://localhost', 'http://127.0.0.1:3000', 'http://[::1]:80', 'http://0.0.0.0'];

test('W96 a page that was opened elsewhere has that address, and with PUBLIC_URL each has that', () => {
  for (const opened of OTHERS) expect(told(opened)).toBe(opened);
  const publicOrigin = createPublicOrigin('https://v.example', undefined, 3000);
  const configured = [...OTHERS, ...LOCAL].map(publicOrigin);
  expect(new Set(configured)).toEqual(new Set(['https://v.example']));
});

test.each(LOCAL)('W96 at %s it has that of the machine, if the server listens there', (opened) => {
  for (const host of [undefined, '0.0.0.0', '::']) {
    expect(told(opened, host)).toBe('http://192.168.1.7:3000');
  }
  expect(told(opened, '127.0.0.1')).toBe('');
  expect(told(opened, undefined, { lo: NETWORK.lo })).toBe('');
});

test.each([
  ['VirtualBox', 'vboxnet0', '192.168.56.1'],
  ['VirtualBox on Windows', 'Ethernet 3', '192.168.56.1', '0a:00:27:00:00:0f'],
  ['Hyper-V', 'vEthernet (WSL (Hyper-V firewall))', '172.29.96.1'],
  ['Docker', 'docker0', '172.17.0.1', '02:42:ac:11:00:02'],
  ['Tailscale', 'tailscale0', '100.101.102.103'],
  ['no network', 'eth1', '169.254.3.4'],
  ['a cable', 'eth0', '10.0.0.2'],
])(
  'W96 an address of %s is not taken before that of the Wi-Fi, and is told',
  (_what, name, first, mac = '') => {
    const adapter = { [name]: [{ ...address(first), mac }] };
    const network = { ...adapter, 'Wi-Fi': [address('192.168.1.7')] };
    expect(told('http://localhost', undefined, network)).toBe('http://192.168.1.7:3000');
    const line = ` to http://192.168.1.7:3000 (Wi-Fi), not to ${first} (${name}).`;
    expect(adviceOnPublicUrl(undefined, 3000)).toContain(line);
    expect(adviceOnPublicUrl('127.0.0.1', 3000)).toMatch(/ lead to where a page was opened\.$/);
    // Better than none, where it is the only one.
    expect(told('http://localhost', undefined, adapter)).toBe(`http://${first}:3000`);
  },
);

test('W96 where the system does not tell its addresses, it has none, and the unit lets it tell', () => {
  const refused = () => {
    throw new Error('uv_interface_addresses returned Unknown system error 97');
  };
  const interfaces = vi.spyOn(os, 'networkInterfaces').mockImplementation(refused);
  onTestFinished(() => interfaces.mockRestore());
  expect(createPublicOrigin(undefined, undefined, 3000)('http://localhost')).toBe('');
  const unit = readFileSync(join(PROJECT_ROOT, 'deploy/goty.service'), 'utf8');
  expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
});
