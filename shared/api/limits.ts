import type { ApiEvent } from './api-event.ts';
import { HubError, ValidationError } from './errors.ts';

/** Maximum sizes of a request, in bytes. */
export interface Limits {
  readonly query: number;
  readonly body: number;
}

/** Limits of operations that declare none. */
export const DEFAULT_LIMITS: Limits = { query: 8 * 1024, body: 16 * 1024 };

/** The form parser silently drops further fields. */
const MAX_FORM_FIELDS = 1000;

/** More than any operation needs, and far too few to overflow the stack of a recursive function. */
const MAX_JSON_DEPTH = 64;

const bodyBytes = ({ body, isBase64Encoded }: ApiEvent): number =>
  typeof body === 'string' ? Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') : 0;

/**
 * Refuses a request that exceeds the limits of its operation, before it is parsed.
 *
 * @throws HubError query_too_long, body_too_large
 */
export const checkSize = ({ limits }: { readonly limits: Limits }, event: ApiEvent): void => {
  if (Buffer.byteLength(event.rawQueryString) > limits.query) {
    throw new HubError(
      'query_too_long',
      `The query string is too long: this operation takes at most ${limits.query} bytes.`,
    );
  }
  if (bodyBytes(event) > limits.body) {
    throw new HubError(
      'body_too_large',
      `The body is too large: this operation takes at most ${limits.body} bytes.`,
    );
  }
};

/**
 * Refuses a form with more fields than the parser reads.
 *
 * @throws HubError body_too_large
 */
export const checkFieldCount = (text: string): void => {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields++;
  if (fields > MAX_FORM_FIELDS) {
    throw new HubError('body_too_large', `A form has at most ${MAX_FORM_FIELDS} fields.`);
  }
};

/** Matches a string, terminated or not, or a bracket. */
const JSON_MARK = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{}]/gs;

/** Tells whether a JSON text has more than `max` levels of nesting, without parsing it. */
export const isNestedDeeper = (text: string, max: number): boolean => {
  let depth = 0;
  for (const [mark] of text.matchAll(JSON_MARK)) {
    if (mark === '[' || mark === '{') depth++;
    else if (mark === ']' || mark === '}') depth--;
    if (depth > max) return true;
  }
  return false;
};

/**
 * Refuses JSON that is nested too deep, before it is parsed.
 *
 * @throws ValidationError
 */
export const checkDepth = (text: string): void => {
  if (!isNestedDeeper(text, MAX_JSON_DEPTH)) return;
  throw new ValidationError([
    {
      loc: ['body'],
      msg: `ensure this value has at most ${MAX_JSON_DEPTH} levels of nesting`,
      type: 'value_error.json.max_depth',
      ctx: { limit_value: MAX_JSON_DEPTH },
    },
  ]);
};
