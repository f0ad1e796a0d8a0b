import { takenNumbers } from '../domain/digits.ts';
import { isRecord } from '../domain/unknown-fields.ts';
import { type ApiEvent, hasContentType } from './api-event.ts';
import type { Operation, RequestParts } from './operation.ts';

const FORM = /^\s*application\/x-www-form-urlencoded\s*(;|$)/i;
const TEXT = /^\s*text\/plain\s*(;|$)/i;
const JSON_TYPE = /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i;

/** Body of a request before it is parsed. */
export interface SentBody {
  /** Empty without a body. */
  readonly text: string;
  /** Parser that reads the body. */
  readonly parser: 'json' | 'form' | 'text' | undefined;
}

/** Returns the text of the body; undefined without a body. */
export const bodyText = (event: ApiEvent): string | undefined => {
  if (typeof event.body !== 'string' || event.body === '') return undefined;
  return event.isBase64Encoded ? Buffer.from(event.body, 'base64').toString('utf8') : event.body;
};

/**
 * Selects the parser that the operation declares, if the content type matches. As in the contract's stack, a body
 * without a content type counts as JSON. Any other body stays unparsed and fails validation.
 */
export const parserFor = (
  { input, queryInBody, readText }: Operation,
  event: ApiEvent,
): SentBody['parser'] => {
  const type = event.headers['content-type'] ?? '';
  // The contract ignores a body without a content type here.
  if (queryInBody) return FORM.test(type) ? 'form' : JSON_TYPE.test(type) ? 'json' : undefined;
  if (input.form) return FORM.test(type) ? 'form' : undefined;
  if (readText && TEXT.test(type)) return 'text';
  if (input.json) return !hasContentType(event) || JSON_TYPE.test(type) ? 'json' : undefined;
  return undefined;
};

const lastOf = (pairs: Iterable<readonly [string, unknown]>): Record<string, string> => {
  // Has no prototype, so that a parameter can be named __proto__.
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of pairs) values[name] = String(Array.isArray(value) ? value.at(-1) : value);
  return values;
};

/** Returns the parameters in the path of a request. */
export const paramsOf = ({ pathParameters }: ApiEvent): Record<string, string> =>
  lastOf(Object.entries(pathParameters ?? {}));

/** Returns the value that stands for the JSON of a request; a text for a body that was not parsed. */
const jsonOf = ({ readText }: Operation, body: unknown, { parser, text }: SentBody): unknown => {
  if (parser === 'text') return readText?.(text);
  if (parser === 'json') return takenNumbers(body);
  // Validation refuses a text, as it is not an object.
  return body === undefined || body === '' ? undefined : '';
};

/**
 * Returns the parts of a request after the body was parsed. The last value of a repeated key wins.
 *
 * @throws ValidationError for a text that the operation cannot read.
 */
export const partsOf = (operation: Operation, event: ApiEvent, sent: SentBody): RequestParts => {
  const { body } = event;
  return {
    params: paramsOf(event),
    query: lastOf(new URLSearchParams(event.rawQueryString)),
    form:
      sent.parser === 'form' && typeof body === 'object' && body !== null ? lastOf(Object.entries(body)) : {},
    json: jsonOf(operation, body, sent),
  };
};

/** Adds the texts and numbers of a form or a JSON object to the query. A parameter of the query itself wins. */
export const withQueryInBody = (parts: RequestParts): RequestParts => {
  const given = isRecord(parts.json) ? parts.json : parts.form;
  const plain = Object.entries(given).filter(([, value]) => ['string', 'number'].includes(typeof value));
  return { ...parts, query: lastOf([...plain, ...Object.entries(parts.query)]) };
};

/** Returns the cookies of a request. The first of a name wins, as browsers send the most specific path first. */
export const cookiesOf = (event: ApiEvent): Record<string, string> => {
  const cookies: Record<string, string> = Object.create(null);
  for (const cookie of event.cookies ?? []) {
    const equals = cookie.indexOf('=');
    const name = cookie.slice(0, equals).trim();
    if (equals > 0 && !(name in cookies)) cookies[name] = cookie.slice(equals + 1).trim();
  }
  return cookies;
};

/** Returns the headers with names in lower case. */
export const headersOf = (event: ApiEvent): Record<string, string> =>
  Object.fromEntries(
    Object.entries(event.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value] as const],
    ),
  );
