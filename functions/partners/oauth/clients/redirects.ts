/** Characters of the longest address that a client may be sent back to. */
export const MAX_REDIRECT = 512;

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Address of this machine, where a program of the user listens. */
const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && LOOPBACK.has(hostname);

/**
 * Reads an address that a client may be sent back to: https, or http on this machine. An address that browsers would read
 * differently than it is written is none.
 */
export const readRedirect = (text: string): { readonly url: URL; readonly isLocal: boolean } | undefined => {
  if (text.length > MAX_REDIRECT || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isLocal = isLoopback(url);
  if (url.protocol !== 'https:' && !isLocal) return undefined;
  if (url.username !== '' || url.password !== '' || text.includes('#')) return undefined;
  const isAsRead = text === url.href || `${text}/` === url.href;
  return isAsRead ? { url, isLocal } : undefined;
};

const withoutPort = (url: URL): string => {
  const copy = new URL(url);
  copy.port = '';
  return copy.href;
};

/**
 * Tells whether an address is one of those that a client registered. Compares texts; only the port of this machine is open,
 * as a program takes a free one (RFC 8252, section 7.3).
 */
export const isRegistered = (registered: readonly string[], asked: string): boolean => {
  if (registered.includes(asked)) return true;
  const read = readRedirect(asked);
  if (!read?.isLocal) return false;
  return registered.some((one) => {
    const known = readRedirect(one);
    return known?.isLocal === true && withoutPort(known.url) === withoutPort(read.url);
  });
};

/** Returns an address with the parameters of an answer. */
export const withAnswer = (
  redirect: string,
  answer: Readonly<Record<string, string | undefined>>,
): string => {
  const params = new URLSearchParams(
    Object.entries(answer).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${params}`;
};
