import { isIPv4, isIPv6 } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;
const LOGGED_GROUPS = 3;

const groupsOf = (part: string): string[] =>
  // A trailing IPv4 address replaces two groups.
  part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));

/**
 * Returns the network of an address: the address itself for IPv4, the /64 for IPv6, as one customer has a whole /64.
 */
export const networkOf = (address: string): string => {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('%', 1).join('').split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0');
  const network = [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};

/**
 * Truncates an address to the part that logs may hold: /24 for IPv4, /48 for IPv6.
 *
 * @returns undefined for a text that is not an address.
 *
 * @example
 * truncatedAddress('198.51.100.7'); // '198.51.100.0/24'
 * truncatedAddress('2001:db8:1:2::3'); // '2001:db8:1::/48'
 */
export const truncatedAddress = (address: string): string | undefined => {
  if (!isIPv4(address) && !isIPv6(address)) return undefined;
  const network = networkOf(address);
  return isIPv4(network)
    ? network.replace(/\d+$/, '0/24')
    : `${network.split(':').slice(0, LOGGED_GROUPS).join(':')}::/48`;
};

/**
 * Returns the network whose users share budgets: an attacker has many addresses of one. Undefined for this machine, whose
 * callers share nothing with strangers.
 */
export const wideNetworkOf = (address: string): string | undefined =>
  /^(?:::ffff:)?127\.|^::1$/i.test(address) ? undefined : truncatedAddress(address);
