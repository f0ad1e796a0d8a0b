import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Admission } from './rate-headers.ts';

/** State of a request in the middleware stack. */
export interface Arrived {
  /** `performance.now()`. */
  readonly at: number;
  readonly body: string;
  readonly parser: 'json' | 'form' | undefined;
  /** Verdict of the rate limits; undefined if the request was refused before, or without limits. */
  admission?: Admission;
  /** Time when the caller was known. */
  authenticatedAt?: number;
}

/** Event of the gateway. A body parser replaces the text of the body with the parsed value. */
export interface ApiEvent extends Omit<APIGatewayProxyEventV2, 'body' | 'requestContext'> {
  body?: unknown;
  requestContext: APIGatewayProxyEventV2['requestContext'] & {
    readonly authorizer?: { readonly lambda?: unknown };
  };
  arrived?: Arrived;
}

/** Tells whether a request has a content type. */
export const hasContentType = ({ headers }: Pick<ApiEvent, 'headers'>): boolean =>
  (headers['content-type'] ?? '').trim() !== '';

/** Returns the state that the first step of the stack leaves. */
export const arrivedOf = ({ arrived }: ApiEvent): Arrived => {
  if (!arrived) throw new Error('the stack was entered past its first step');
  return arrived;
};
