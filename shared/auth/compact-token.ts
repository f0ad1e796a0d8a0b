/** API Gateway takes 10,240 bytes of headers in all. */
const MAX_LENGTH = 8_192;
const FORMAT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** What a header may say: nothing that names, brings or fetches a key, and nothing that has to be understood. */
const HEADER_PARAMETERS = new Set(['alg', 'typ', 'kid', 'x5t', 'x5t#S256']);
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** A string of a JSON text, and the colon behind it where it is a name. */
const JSON_STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Bits behind the last byte, padding or other alphabets would give one token several spellings. */
const decode = (part: string): Buffer | undefined => {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
};

const countMembers = (root: JsonObject): number => {
  let count = 0;
  // Grows as it is walked; recursion would let a token's nesting overflow the stack.
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

/** Reads an object whose names are each there once: what is there twice, readers take for different things. */
const readObject = (part: string): JsonObject | undefined => {
  const bytes = decode(part);
  if (!bytes) return undefined;
  try {
    const text = UTF8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return isObject(value) && countMembers(value) === countNames(text) ? value : undefined;
  } catch {
    return undefined; // Neither UTF-8 nor JSON is nobody's token.
  }
};

/**
 * Reads what a signed token (RFC 7515, compact) says, before its signature is checked. Stricter than
 * libraries are: undefined for one over 8 KB, spelled in another base64, with a name twice, or with header
 * parameters beyond algorithm, type and the names of keys.
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
