import type { Message } from '../outbox/messages.ts';
import type { Deployment } from './deployments.ts';

/** Events for execution engines outside. */
export const DOMAIN_EVENTS = [
  'Deployment Requested',
  'Deployment Undeployed',
  'Deployment Expired',
  'Deployment Paused',
  'Deployment Resumed',
  'Deployment Halted',
  'Deployment Stop Requested',
  'Position Closed',
] as const;

export type DomainEvent = (typeof DOMAIN_EVENTS)[number];

const isForeign = (quoteCurrencies: Readonly<Record<string, string>> = {}): boolean =>
  Object.keys(quoteCurrencies).length > 0;

/**
 * Builds the event that informs execution engines of a deployment: what to run and how. Never contains the user_id.
 */
export const domainEvent = (
  detailType: DomainEvent,
  deployment: Deployment,
  now: Date,
  more: Readonly<Record<string, unknown>> = {},
): Message => ({
  kind: 'domain_event',
  detail_type: detailType,
  detail: {
    version: 1,
    deployment_id: deployment.deployment_id,
    kind: deployment.kind,
    strategy_id: deployment.strategy_id,
    symbols: deployment.symbols,
    timeframe: deployment.timeframe,
    ...(deployment.kind === 'scanner' && { universe_id: deployment.universe_id }),
    ...(deployment.kind === 'live' && {
      mode: deployment.mode,
      ...(deployment.broker_id !== undefined && { broker_id: deployment.broker_id }),
      ...(deployment.account_id !== undefined && { account_id: deployment.account_id }),
      starting_capital: deployment.starting_capital,
      currency: deployment.currency,
      ...(isForeign(deployment.quote_currencies) && { quote_currencies: deployment.quote_currencies }),
      prediction_market: deployment.prediction_market,
    }),
    ...(deployment.expires_at !== undefined && { expires_at: deployment.expires_at }),
    ...(deployment.stop_reason !== null && { stop_reason: deployment.stop_reason }),
    ...more,
    occurred_at: now.toISOString(),
  },
});
