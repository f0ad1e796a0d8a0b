import { boundDetails, type ValidationDetail } from './validation-detail.ts';

/**
 * Error codes of the operations and the HTTP status of each.
 * Codes are part of the interface: clients switch on them, so never rename one.
 */
const STATUS_OF = {
  credentials_invalid: 401,
  client_key_invalid: 401,
  session_required: 401,
  session_invalid: 401,
  api_key_invalid: 401,
  code_invalid: 401,
  passkey_refused: 401,
  id_token_invalid: 401,
  broker_secret_invalid: 401,
  partner_token_invalid: 401,
  partner_token_used: 401,
  access_token_invalid: 401,
  state_invalid: 401,
  authorization_code_invalid: 401,
  session_mismatch: 403,
  email_unproven: 403,
  step_up_required: 403,
  recovery_wait: 409,
  cross_site_refused: 403,
  address_refused: 403,
  network_refused: 403,
  platform_token_insufficient: 403,
  broker_unapproved: 403,
  scope_insufficient: 403,
  consent_denied: 403,
  challenge_refused: 403,
  broker_suspended: 403,
  broker_keys_refused: 409,
  broker_account_blocked: 409,
  connection_used: 409,
  prices_missing: 409,
  replay_unavailable: 409,
  rules_closed: 403,
  candles_hidden: 403,
  email_unverified: 409,
  provider_unknown: 404,
  broker_unknown: 404,
  user_unknown: 404,
  partner_account_unlinked: 404,
  connection_unknown: 404,
  client_unknown: 404,
  proposal_unknown: 404,
  strategy_unknown: 404,
  rules_version_unknown: 404,
  deployment_unknown: 404,
  hook_unknown: 404,
  universe_unknown: 404,
  candles_unknown: 404,
  backtest_unknown: 404,
  record_unknown: 404,
  sweep_unknown: 404,
  endpoint_unknown: 404,
  feed_unknown: 404,
  delivery_unknown: 404,
  factor_unknown: 404,
  email_taken: 409,
  broker_taken: 409,
  account_taken: 409,
  name_taken: 409,
  quota_reached: 409,
  changed_meanwhile: 409,
  rules_changed: 409,
  newer_version: 409,
  state_conflict: 409,
  channel_unavailable: 409,
  broker_unconnected: 409,
  order_unknown: 404,
  position_closed: 409,
  strategy_unsuitable: 409,
  kill_switch: 409,
  cursor_expired: 410,
  risk_limit: 409,
  signal_refused: 409,
  strategy_archived: 409,
  endpoint_disabled: 409,
  endpoint_pending: 409,
  engine_external: 409,
  candles_changed: 409,
  request_in_flight: 409,
  body_too_large: 413,
  query_too_long: 414,
  answer_shown_once: 409,
  too_many_attempts: 429,
  too_many_codes: 429,
  too_many_signals: 429,
  work_exhausted: 429,
  rate_limited: 429,
  internal: 500,
  upstream_failed: 502,
  unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof STATUS_OF;

/** Returns the HTTP status of an error code. */
export const statusOf = (code: ErrorCode): number => STATUS_OF[code];

interface HubErrorOptions {
  /** Seconds to wait before the next try; sent as Retry-After. */
  readonly retryAfterS?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further fields of the answer, for programs. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * Error that is sent to the caller, with a stable code and a sentence that says how to act.
 * The sentence must not contain values of the request.
 */
export class HubError extends Error {
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly #facts: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    detail: string,
    { retryAfterS, headers = {}, facts = {}, cause }: HubErrorOptions = {},
  ) {
    super(detail, { cause });
    this.name = 'HubError';
    this.code = code;
    this.#facts = facts;
    const waitS = retryAfterS === undefined ? undefined : Math.max(1, Math.ceil(retryAfterS));
    this.headers = {
      ...headers,
      ...(waitS === undefined ? {} : { 'retry-after': String(waitS) }),
      // The policy of a stored budget has the name of its code. Its quota is not shown, as it guards passwords and codes.
      ...(statusOf(code) === 429 && waitS !== undefined ? { ratelimit: `"${code}";r=0;t=${waitS}` } : {}),
      ...(statusOf(code) === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    };
  }

  get status(): number {
    return statusOf(this.code);
  }

  toJSON(): { detail: string; code: ErrorCode } {
    return { ...this.#facts, detail: this.message, code: this.code };
  }
}

/** The request does not match the schemas of the operation: status 422 with all problems, up to a limit. */
export class ValidationError extends Error {
  readonly status = 422;
  readonly detail: readonly ValidationDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(detail: readonly ValidationDetail[], headers: Readonly<Record<string, string>> = {}) {
    super('the request does not fit the declaration of the operation');
    this.name = 'ValidationError';
    this.detail = boundDetails(detail);
    this.headers = headers;
  }

  toJSON(): { detail: readonly ValidationDetail[] } {
    return { detail: this.detail };
  }
}

/** Internal error whose message may be logged: it consists of constant text and names from the code only. */
export class InternalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
