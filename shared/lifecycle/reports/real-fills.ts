import type { StoredOrder } from '../../data/books/orders.ts';
import { type Deployment, hasRealOrders } from '../../data/deployments/deployments.ts';
import { ENGINE_ACCOUNTS_DUE, engineEvent } from '../../data/engine/events.ts';
import { fillWrite } from '../../data/engine/real-inputs.ts';
import { MalformedEventError } from '../../domain/malformed-event.ts';
import { isFinalOrderStatus } from '../../domain/orders/order-states.ts';
import { settleEntry } from '../../domain/risk/state.ts';
import type { Effect } from '../effect.ts';
import type { BooksReport } from './report.ts';

/** Returns whether an account has to know: something was filled, or the order has ended. */
const concernsAccount = ({ filled_quantity, status }: StoredOrder): boolean =>
  filled_quantity !== '0' || isFinalOrderStatus(status);

/** Counts an entry that has ended no longer as a position to come. */
const settled = (deployment: Deployment, { client_order_id, status }: StoredOrder): Deployment =>
  deployment.kind === 'live' && deployment.risk && isFinalOrderStatus(status)
    ? { ...deployment, risk: settleEntry(deployment.risk, client_order_id) }
    : deployment;

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
): Effect | undefined => {
  if (report.type !== 'Order Updated' || !hasRealOrders(deployment)) return effect;
  if (!effect?.order) return effect;
  if (effect.entries?.new_order !== undefined) {
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
