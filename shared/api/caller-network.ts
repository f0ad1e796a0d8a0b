import { isIPv4, isIPv6 } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;
const LOGGED_GROUPS = 3;

const groupsOf = (part: string): string[] =>
  // An IPv4 address at the end takes the place of two groups.
  part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));

/**
 * The network of a caller's address: an IPv4 address itself, of an IPv6 address the /64, which one customer has
 * as a whole.
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
 * The part of a caller's address that logs may hold: /24 of IPv4, /48 of IPv6. Undefined for a text that is no
 * address.
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
