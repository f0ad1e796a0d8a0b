const GROUPS = 8;
const NETWORK_GROUPS = 4;

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
