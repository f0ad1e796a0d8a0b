export {
  HubApiError,
  HubAuthenticationError,
  HubConnectionError,
  HubError,
  HubRateLimitError,
  HubTimeoutError,
  HubValidationError,
  HubWebhookError,
  type ValidationProblem,
} from './errors.ts';
export type { EventPage, Followed, FollowOptions } from './events.ts';
export { newIdempotencyKey } from './idempotency-key.ts';
export { type IntegratorCredentials, integratorToken } from './integrator-token.ts';
export * from './operations.ts';
export { type Page, type PageChoice, PageRequest } from './pages.ts';
export type { RateLimit } from './rate-limit.ts';
export type { CallOptions, ClientOptions, ResponseInfo } from './transport.ts';
export { verifyWebhook, type WebhookEvent, type WebhookOptions, type WebhookRequest } from './webhooks.ts';
