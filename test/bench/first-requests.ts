import type { Request } from '../support/hub.ts';

interface FirstRequest {
  readonly functionName: string;
  readonly routeKey: string;
  readonly request: Request;
  readonly status: number;
}

/** First requests of the functions: one read each, or the cheapest refusal. */
export const FIRST_REQUESTS: readonly FirstRequest[] = [
  { functionName: 'user-access', routeKey: 'GET /health', request: {}, status: 200 },
  { functionName: 'user-access', routeKey: 'POST /verify_session', request: {}, status: 401 },
  { functionName: 'users', routeKey: 'GET /users', request: {}, status: 200 },
  { functionName: 'strategies', routeKey: 'GET /get_strategy_categories', request: {}, status: 200 },
  {
    functionName: 'partners',
    routeKey: 'GET /check_for_token',
    request: { query: { user_id: 'nobody' } },
    status: 404,
  },
  {
    functionName: 'deployments',
    routeKey: 'GET /get_deployment_notifications',
    request: { query: { user_id: 'nobody' } },
    status: 404,
  },
  {
    functionName: 'events',
    routeKey: 'GET /events',
    request: { query: { user_id: 'nobody' } },
    status: 404,
  },
  {
    functionName: 'account',
    routeKey: 'GET /get_deployment_trades',
    request: { query: { user_id: 'nobody', deployment_id: '7' } },
    status: 404,
  },
  {
    functionName: 'integrators',
    routeKey: 'GET /broker/get_user_strategies',
    request: {
      query: { user_email: 'nobody@example.com' },
      authorized: { broker: 'nobody', expires_at: Number.MAX_SAFE_INTEGER, scope: 'broker:read' },
    },
    status: 403,
  },
  {
    functionName: 'analytics',
    routeKey: 'POST /api/external_analysis',
    request: { json: { client_id: '' } },
    status: 422,
  },
  { functionName: 'candles', routeKey: 'GET /get_candles', request: {}, status: 422 },
  {
    functionName: 'backtests',
    routeKey: 'GET /get_backtests',
    request: { query: { user_id: 'nobody' } },
    status: 404,
  },
  { functionName: 'execution', routeKey: 'GET /get_execution_connections', request: {}, status: 422 },
  {
    functionName: 'kill-switch',
    routeKey: 'GET /get_kill_switch',
    request: { query: { user_id: 'nobody' } },
    status: 404,
  },
  { functionName: 'webhooks', routeKey: 'GET /get_webhooks', request: {}, status: 422 },
  {
    functionName: 'signals',
    routeKey: 'POST /hooks/{token}',
    request: { params: { token: 'none' }, json: { action: 'buy' } },
    status: 404,
  },
  { functionName: 'assistants', routeKey: 'POST /mcp', request: { json: { method: 'ping' } }, status: 401 },
  { functionName: 'docs', routeKey: 'GET /openapi.json', request: {}, status: 200 },
  { functionName: 'console', routeKey: 'GET /console', request: {}, status: 200 },
];
