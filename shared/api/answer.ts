import { isTimeout } from '../aws-client.ts';
import { HubError, statusOf, ValidationError } from './errors.ts';
import type { Outcome } from './operation.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Answer in the gateway's format. Plain data, so that it can be stored and replayed. */
export interface Answer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly cookies: string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

const json = (
  statusCode: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  statusCode,
  headers: { ...SECURITY_HEADERS, ...JSON_HEADERS, ...headers },
  cookies: [],
  body: JSON.stringify(value),
  isBase64Encoded: false,
});

/** Converts the outcome of an operation to an answer. */
export const answerOf = (outcome: Outcome, cookies: string[]): Answer => {
  if ('json' in outcome) return { ...json(200, outcome.json), cookies };
  const { status, headers, body } = outcome.raw;
  return typeof body === 'string'
    ? {
        statusCode: status,
        headers: { ...SECURITY_HEADERS, ...headers },
        cookies,
        body,
        isBase64Encoded: false,
      }
    : {
        statusCode: status,
        headers: { ...SECURITY_HEADERS, ...headers },
        cookies,
        body: Buffer.from(body).toString('base64'),
        isBase64Encoded: true,
      };
};

const RETRY_AFTER_S = '5';

/**
 * Converts an error to an answer. An unexpected error becomes a 500 without details, or a 503 if an AWS service did
 * not answer in time.
 */
export const answerToError = (error: unknown, requestId: string): Answer => {
  if (error instanceof ValidationError || error instanceof HubError) {
    return json(error.status, error, error.headers);
  }
  if (isTimeout(error)) {
    const body = {
      detail:
        'A part of the service did not answer in time. Check whether the request took effect before you repeat it.',
      code: 'unavailable',
      request_id: requestId,
    };
    return json(statusOf('unavailable'), body, { 'retry-after': RETRY_AFTER_S });
  }
  return json(500, {
    detail: 'Something went wrong on our side. Quote the request id when you report it.',
    code: 'internal',
    request_id: requestId,
  });
};
