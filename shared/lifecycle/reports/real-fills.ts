import { orderKey, type StoredOrder } from '../../data/books/orders.ts';
import { type Deployment, hasRealOrders } from '../../data/deployments/deployments.ts';
import { ENGINE_ACCOUNTS_DUE, engineEvent } from '../../data/engine/events.ts';
import { fillWrite } from '../../data/engine/real-inputs.ts';
import { type Items, itemWith } from '../../data/table/items.ts';
import type { Key } from '../../data/table/writes.ts';
import { MalformedEventError } from '../../domain/malformed-event.ts';
import { isFinalOrderStatus } from '../../domain/orders/order-states.ts';
import { protectiveOf } from '../../domain/orders/protective-ids.ts';
import { settleEntry } from '../../domain/risk/state.ts';
import type { Effect } from '../effect.ts';
import type { BooksReport } from './report.ts';

/** Causes of the fills of protective orders, by their level. */
const REASONS = { stop: 'stop_loss', target: 'take_profit', close: 'unprotected' } as const;

/** Returns whether an account has to know: something was filled, the order has ended, or it protects a trade. */
const concernsAccount = ({ client_order_id, filled_quantity, status }: StoredOrder): boolean =>
  filled_quantity !== '0' || isFinalOrderStatus(status) || protectiveOf(client_order_id) !== undefined;

/** Counts an entry that has ended no longer as a position to come. */
const settled = (deployment: Deployment, { client_order_id, status }: StoredOrder): Deployment =>
  deployment.kind === 'live' && deployment.risk && isFinalOrderStatus(status)
    ? { ...deployment, risk: settleEntry(deployment.risk, client_order_id) }
    : deployment;

/** Returns the key of the entry whose trade the order of a report protects; none for another order. */
export const protectedEntryKeys = ({ type, detail }: BooksReport): Key[] => {
  const protective = type === 'Order Updated' ? protectiveOf(detail.client_order_id) : undefined;
  if (!protective) return [];
  return [orderKey({ deployment_id: detail.deployment_id, client_order_id: protective.entry })];
};

/** Returns whether an order protects a trade of the deployment: its adapter places it without a request. */
const isOfTrade = (report: BooksReport, items: Items): boolean =>
  protectedEntryKeys(report).some((key) => itemWith(items, key) !== undefined);

/** Returns the order that a protective one closes first, and the cause of its fills. */
export const protectiveFacts = (report: BooksReport) => {
  const protective =
    report.type === 'Order Updated' ? protectiveOf(report.detail.client_order_id) : undefined;
  if (!protective) return {};
  return { closes: protective.entry, facts: { exit_reason: REASONS[protective.level] } };
};

/**
 * Adds to a report on an order what its account needs: the report as an input, and a message that lets the engine take
 * it up at once. Other effects stay as they are.
 *
 * @throws MalformedEventError for a report on an order that the hub did not request.
 */
export const withFill = (
  deployment: Deployment,
  report: BooksReport,
  effect: Effect | undefined,
  items: Items,
): Effect | undefined => {
  if (report.type !== 'Order Updated' || !hasRealOrders(deployment)) return effect;
  if (!effect?.order) return effect;
  const isNew = effect.entries?.new_order !== undefined;
  if (isNew && !isOfTrade(report, items)) {
    throw new MalformedEventError('the hub did not request this order');
  }
  if (!concernsAccount(effect.order)) return effect;
  return {
    ...effect,
    deployment: settled(effect.deployment, effect.order),
    writes: [...(effect.writes ?? []), fillWrite(deployment.version, effect.order)],
    messages: [...(effect.messages ?? []), engineEvent(ENGINE_ACCOUNTS_DUE, deployment.deployment_id)],
  };
};
