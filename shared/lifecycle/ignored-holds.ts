import type { StoredOrder } from '../data/books/orders.ts';
import { isHubRun, type TradingDeployment } from '../data/deployments/deployments.ts';
import { domainEvent } from '../data/deployments/domain-events.ts';
import type { Effect, NotificationText } from './effect.ts';
import { isEntry, type Reported } from './risk-checks/judge-order.ts';

/** Most entries that are reported to the owner until the deployment is resumed. */
const MAX_IGNORED = 10;

const COMMANDS = { paused: 'Deployment Paused', halted: 'Deployment Halted' } as const;

/** Statuses of orders that did not reach the market. */
const UNPLACED: ReadonlySet<string> = new Set(['cancelled', 'rejected']);

const ignoredText = (
  { strategy_name }: TradingDeployment,
  { status, by, reason }: NonNullable<TradingDeployment['held']>,
  { client_order_id, side, quantity, symbol }: StoredOrder,
  { isLast }: { readonly isLast: boolean },
): NotificationText => ({
  kind: 'hold_ignored',
  severity: 'error',
  symbol,
  title: `${strategy_name} opens positions although it is ${status}`,
  body:
    `Its engine placed an order to ${side} ${quantity} ${symbol} after the deployment was ${status}: ${reason}. ` +
    `Stop the engine, and check orders and positions at the broker.${
      isLast ? ' Further orders are not reported until the deployment is resumed.' : ''
    }`,
  data: { client_order_id, side, quantity, status, by, reason },
});

/**
 * Adds to a report of an engine outside that it opens positions although the deployment is paused or halted: the owner is
 * notified once for each order, up to a bound, and the engine gets the command again. Costs nothing otherwise.
 */
export const checkHold = (effect: Effect, reported: Reported, now: Date): Effect => {
  const { deployment, order } = effect;
  if (deployment.kind !== 'live' || !deployment.held || isHubRun(deployment)) return effect;
  if (!order || reported.order) return effect;
  const { held } = deployment;
  const { ignored = 0, status, by, reason, flatten = false } = held;
  const isUnplaced = UNPLACED.has(order.status) && order.filled_quantity === '0';
  // An order may be on its way to the hub when the command is given.
  const isEarlier = order.created_at <= Date.parse(held.at);
  if (isUnplaced || isEarlier || ignored >= MAX_IGNORED || !isEntry(order, reported, order.symbol)) {
    return effect;
  }
  const isLast = ignored + 1 === MAX_IGNORED;
  const after = { ...deployment, held: { ...held, ignored: ignored + 1 } };
  const details = { by, reason, ...(status === 'halted' && { flatten }) };
  return {
    ...effect,
    deployment: after,
    notifications: [...effect.notifications, ignoredText(deployment, held, order, { isLast })],
    messages: [...(effect.messages ?? []), domainEvent(COMMANDS[status], after, now, details)],
  };
};
