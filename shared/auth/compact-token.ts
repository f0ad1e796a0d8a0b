/** API Gateway accepts 10,240 bytes of headers in total. */
const MAX_LENGTH = 8_192;
const FORMAT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** Allowed header parameters. Refuses those that embed or fetch a key (`jwk`, `jku`, `x5c`, `x5u`), and `crit`. */
const HEADER_PARAMETERS = new Set(['alg', 'typ', 'kid', 'x5t', 'x5t#S256']);
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Matches a string in JSON, and the colon after it if it is a name. */
const JSON_STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Decodes only the canonical base64url. With padding, spare bits or other alphabets, a token has several spellings. */
const decode = (part: string): Buffer | undefined => {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
};

const countMembers = (root: JsonObject): number => {
  let count = 0;
  // The list grows during the loop. Recursion could overflow the stack for a deeply nested token.
  const values: unknown[] = [root];
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value);
    if (!Array.isArray(value)) count += inner.length;
    values.push(...inner);
  }
  return count;
};

const countNames = (text: string): number =>
  [...text.matchAll(JSON_STRING)].filter(([, colon]) => colon !== undefined).length;

/** Reads an object without duplicate names, as parsers differ in which duplicate they use. */
const readObject = (part: string): JsonObject | undefined => {
  const bytes = decode(part);
  if (!bytes) return undefined;
  try {
    const text = UTF8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return isObject(value) && countMembers(value) === countNames(text) ? value : undefined;
  } catch {
    return undefined; // Not UTF-8 or not JSON.
  }
};

/**
 * Reads a signed token (RFC 7515, compact form) without verifying its signature. Stricter than libraries.
 *
 * @returns undefined for a token over 8 KB, with non-canonical base64, with duplicate names, or with header parameters
 *   other than the algorithm, the type and key ids.
 */
export const readCompactToken = (
  token: string,
): { readonly header: JsonObject; readonly payload: JsonObject } | undefined => {
  if (token.length > MAX_LENGTH || !FORMAT.test(token)) return undefined;
  const [first = '', second = '', third = ''] = token.split('.');
  const header = readObject(first);
  const payload = readObject(second);
  if (!header || !payload || !decode(third)) return undefined;
  return Object.keys(header).every((name) => HEADER_PARAMETERS.has(name)) ? { header, payload } : undefined;
};
