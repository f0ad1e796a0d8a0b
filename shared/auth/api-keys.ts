import { BlockList, isIP } from 'node:net';
import { fingerprint, sameSecret } from './key-ring.ts';

const PREFIX = 'hub_key_';
const FORMAT = /^([\w-]{22})\.([\w-]{12})\.([\w-]{43})$/;
/** Beginning of the code by which an assistant gets its first access token. */
const CODE_PREFIX = 'hub_code_';
const ID_BYTES = 9;
const SECRET_BYTES = 32;

/** User and id of an API key, as the key itself states them. */
export interface ClaimedKey {
  readonly userId: string;
  readonly keyId: string;
}

const newText = (
  prefix: string,
  { userId, keyId }: ClaimedKey,
  random: (bytes: number) => Buffer,
): { readonly text: string; readonly hash: string } => {
  const text = `${prefix}${userId}.${keyId}.${random(SECRET_BYTES).toString('base64url')}`;
  return { text, hash: fingerprint(text) };
};

/** Generates the id of an API key. */
export const newKeyId = (random: (bytes: number) => Buffer): string => random(ID_BYTES).toString('base64url');

/**
 * Generates an API key: its user and its id, by which it is found with the user's record, and 256 random bits. The prefix
 * lets secret scanners recognise it.
 *
 * @param keyId id of a key whose text changes: the access tokens of an assistant are keys of one id.
 */
export const newApiKey = (
  userId: string,
  random: (bytes: number) => Buffer,
  keyId = newKeyId(random),
): { readonly keyId: string; readonly text: string; readonly hash: string } => ({
  keyId,
  ...newText(PREFIX, { userId, keyId }, random),
});

/** Generates the code by which an assistant gets its first access token, which is a key of this id. */
export const newKeyCode = (
  of: ClaimedKey,
  random: (bytes: number) => Buffer,
): { readonly text: string; readonly hash: string } => newText(CODE_PREFIX, of, random);

/** Tells by the prefix whether a bearer token is an API key. */
export const isApiKey = (text: string): boolean => text.startsWith(PREFIX);

const claimedBy = (prefix: string, text: string): ClaimedKey | undefined => {
  const [, userId, keyId] = (text.startsWith(prefix) && FORMAT.exec(text.slice(prefix.length))) || [];
  return userId && keyId ? { userId, keyId } : undefined;
};

/** Reads the user and the id of an API key; undefined for any other text. */
export const claimedKeyOf = (text: string): ClaimedKey | undefined => claimedBy(PREFIX, text);

/** Reads the user and the id of the key that a code leads to; undefined for any other text. */
export const claimedCodeOf = (text: string): ClaimedKey | undefined => claimedBy(CODE_PREFIX, text);

/** Tells whether a text is the API key, or the code, of a stored hash. Compares with nothing, too, so that timing reveals no ids. */
export const isKeyOf = (hash: string | undefined, text: string): boolean =>
  sameSecret(hash ?? '', fingerprint(text));

/** Returns the family of a text that is an address without a zone; 0 for any other text. */
const familyOf = (address: string): number => (address.includes('%') ? 0 : isIP(address));

/** Parts of a range of addresses: an address, or one with the length of its prefix. */
const rangeOf = (text: string): { address: string; family: 'ipv4' | 'ipv6'; prefix: number } | undefined => {
  const [address = '', length, ...others] = text.split('/');
  const family = familyOf(address);
  const longest = family === 4 ? 32 : 128;
  if (family === 0 || others.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length)))
    return undefined;
  const prefix = length === undefined ? longest : Number(length);
  return prefix > longest ? undefined : { address, family: family === 4 ? 'ipv4' : 'ipv6', prefix };
};

/** Tells whether a text is an address or a range of addresses in CIDR notation, of IPv4 or IPv6. */
export const isAddressRange = (text: string): boolean => rangeOf(text) !== undefined;

/** Tells whether an address is in one of the ranges. An IPv4 address in an IPv6 one is in the ranges of IPv4. */
export const isInRanges = (ranges: readonly string[], address: string): boolean => {
  const family = familyOf(address);
  if (family === 0) return false;
  const list = new BlockList();
  for (const text of ranges) {
    const range = rangeOf(text);
    if (range) list.addSubnet(range.address, range.prefix, range.family);
  }
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
};
