import { type ApiEvent, hasContentType } from './api-event.ts';
import { ValidationError } from './errors.ts';
import type { Operation, RequestParts } from './operation.ts';
import { locateJsonFault } from './python-json.ts';

const FORM = /^\s*application\/x-www-form-urlencoded\s*(;|$)/i;
const JSON_TYPE = /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i;

/** The body's text, or undefined where there is none. */
export const bodyText = (event: ApiEvent): string | undefined => {
  if (typeof event.body !== 'string' || event.body === '') return undefined;
  return event.isBase64Encoded ? Buffer.from(event.body, 'base64').toString('utf8') : event.body;
};

/**
 * Which parser fits the body that came: the one that the operation declares, when the content type
 * agrees. A body without a content type counts as JSON, as in the contract's stack; any other one is
 * left unparsed and fails the check of the body.
 */
export const parserFor = ({ input }: Operation, event: ApiEvent): 'json' | 'form' | undefined => {
  const type = event.headers['content-type'] ?? '';
  if (input.form) return FORM.test(type) ? 'form' : undefined;
  if (input.json) return !hasContentType(event) || JSON_TYPE.test(type) ? 'json' : undefined;
  return undefined;
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * The error of a body that the JSON parser refused: where and why, without a word of the body itself.
 * It also refuses keys that would reach the prototype of an object.
 */
export const jsonFault = (text: string): ValidationError => {
  if (isJson(text)) {
    return new ValidationError([{ loc: ['body'], msg: 'a key is not allowed', type: 'value_error.key' }]);
  }
  const { msg, pos, lineno, colno } = locateJsonFault(text);
  return new ValidationError([
    {
      loc: ['body', pos],
      msg: `${msg}: line ${lineno} column ${colno} (char ${pos})`,
      type: 'value_error.jsondecode',
      ctx: { msg, pos, lineno, colno },
    },
  ]);
};

const lastOf = (pairs: Iterable<readonly [string, unknown]>): Record<string, string> => {
  // Without a prototype: a parameter named __proto__ is a name like any other.
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of pairs) values[name] = String(Array.isArray(value) ? value.at(-1) : value);
  return values;
};

/** The parts of a request after the body's parser; on a repeated key the last value wins. */
export const partsOf = (event: ApiEvent, parsed: 'json' | 'form' | undefined): RequestParts => {
  const body = event.body;
  return {
    params: lastOf(Object.entries(event.pathParameters ?? {})),
    query: lastOf(new URLSearchParams(event.rawQueryString)),
    form: parsed === 'form' && typeof body === 'object' && body !== null ? lastOf(Object.entries(body)) : {},
    // An unparsed body is no object, which the check says; what is in it does not matter.
    json: parsed === 'json' ? body : body === undefined || body === '' ? undefined : '',
  };
};

/** The cookies of a request, by name; the first of a name wins, as browsers send the closest path first. */
export const cookiesOf = (event: ApiEvent): Record<string, string> => {
  const cookies: Record<string, string> = Object.create(null);
  for (const cookie of event.cookies ?? []) {
    const equals = cookie.indexOf('=');
    const name = cookie.slice(0, equals).trim();
    if (equals > 0 && !(name in cookies)) cookies[name] = cookie.slice(equals + 1).trim();
  }
  return cookies;
};

/** The headers that are there. */
export const headersOf = (event: ApiEvent): Record<string, string> =>
  Object.fromEntries(
    Object.entries(event.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value] as const],
    ),
  );
