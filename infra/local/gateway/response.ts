import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import * as z from 'zod';

const proxyResult = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Converts the result of a function, payload format 2.0. Without a status code, the result is the JSON body of a 200.
 *
 * @throws Error for a result with a status code that is not a valid response.
 */
export const readResult = (result: unknown): GatewayAnswer => {
  if (!isRecord(result) || !('statusCode' in result)) {
    const text = typeof result === 'string' ? result : JSON.stringify(result);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = proxyResult.parse(result);
  const named = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return {
    status: statusCode,
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      ...Object.fromEntries(named),
      ...(cookies && cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
};

const BODILESS = new Set([204, 304]);

/** Joins values of Vary, so that those of the gateway replace none of the function. */
const joinVary = (...values: readonly OutgoingHttpHeaders[string][]): OutgoingHttpHeaders => {
  const names = values.flatMap((value) => (value === undefined ? [] : String(value).split(/\s*,\s*/)));
  const distinct = new Map(names.map((name) => [name.toLowerCase(), name]));
  return distinct.size > 0 ? { vary: [...distinct.values()].join(', ') } : {};
};

/** Writes an answer. @throws Error for an invalid header, before anything is written. */
export const writeAnswer = (
  response: ServerResponse,
  answer: GatewayAnswer,
  extra: OutgoingHttpHeaders,
): void => {
  const { 'content-type': type, 'content-length': _length, ...headers } = answer.headers;
  const hasBody = answer.status >= 200 && !BODILESS.has(answer.status);
  response.writeHead(answer.status, {
    ...headers,
    ...extra,
    ...joinVary(headers.vary, extra.vary),
    ...(hasBody && { 'content-type': type, 'content-length': answer.body.byteLength }),
  });
  response.end(hasBody ? answer.body : undefined);
};
