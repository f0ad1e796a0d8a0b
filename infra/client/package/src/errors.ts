import type { RateLimit } from './rate-limit.ts';

/** Entry of a 422: the place of a value and its problem. */
export interface ValidationProblem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Error of this client. Its message has no part of the request, which may hold secrets. */
export class HubError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service could not be reached, or the connection broke. */
export class HubConnectionError extends HubError {}

/** The service did not answer in time. A write may have taken effect. */
export class HubTimeoutError extends HubError {}

/** The signature, the time or the form of a webhook is wrong. */
export class HubWebhookError extends HubError {}

interface ApiErrorParts {
  readonly operation: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly detail: string;
  readonly problems: readonly ValidationProblem[];
  readonly requestId: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly rateLimits: readonly RateLimit[];
  readonly ways: readonly string[];
}

/** The service refused a request or failed. Switch on `code`. */
export class HubApiError extends HubError {
  readonly operation: string;
  readonly status: number;
  /** Stable code of the service; undefined for validation errors and answers of the gateway. */
  readonly code: string | undefined;
  /** Sentence for people. */
  readonly detail: string;
  /** Problems of a request with status 422. */
  readonly problems: readonly ValidationProblem[];
  /** Id to quote when you report a fault. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try. */
  readonly retryAfterS: number | undefined;
  readonly rateLimits: readonly RateLimit[];
  /** Ways of a step-up, if `code` is `step_up_required`. */
  readonly ways: readonly string[];

  constructor(parts: ApiErrorParts) {
    super(`${parts.operation}: ${parts.status} ${parts.code ?? ''} ${parts.detail}`.replace(/ {2,}/g, ' '));
    this.operation = parts.operation;
    this.status = parts.status;
    this.code = parts.code;
    this.detail = parts.detail;
    this.problems = parts.problems;
    this.requestId = parts.requestId;
    this.retryAfterS = parts.retryAfterS;
    this.rateLimits = parts.rateLimits;
    this.ways = parts.ways;
  }
}

/** The request does not match the declaration of the operation (422). */
export class HubValidationError extends HubApiError {}

/** Missing or invalid credential (401). */
export class HubAuthenticationError extends HubApiError {}

/** Too many requests (429). */
export class HubRateLimitError extends HubApiError {}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isProblem = (value: unknown): value is ValidationProblem =>
  isRecord(value) &&
  Array.isArray(value.loc) &&
  typeof value.msg === 'string' &&
  typeof value.type === 'string';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const CLASSES: Readonly<Record<number, typeof HubApiError>> = {
  401: HubAuthenticationError,
  422: HubValidationError,
  429: HubRateLimitError,
};

type Head = Pick<ApiErrorParts, 'operation' | 'status' | 'requestId' | 'retryAfterS' | 'rateLimits'>;

/** Builds the error of an answer: of the service, of OAuth 2.0, or of the gateway. */
export const apiError = (head: Head, body: unknown): HubApiError => {
  const { detail, code, error, error_description, message, request_id, ways } = isRecord(body) ? body : {};
  const problems = Array.isArray(detail) ? detail.filter(isProblem) : [];
  const listed = problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  const sentence = textOf(detail) ?? textOf(error_description) ?? textOf(message);
  return new (CLASSES[head.status] ?? HubApiError)({
    ...head,
    code: textOf(code) ?? textOf(error),
    detail: sentence ?? (listed === '' ? 'The answer gives no reason.' : listed),
    problems,
    ways: Array.isArray(ways) ? ways.flatMap((way) => textOf(way) ?? []) : [],
    requestId: textOf(request_id) ?? head.requestId,
  });
};
