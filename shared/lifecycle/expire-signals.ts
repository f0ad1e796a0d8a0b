import { asStoredOrder, orderKey } from '../data/books/orders.ts';
import { findDeployments, type TradingDeployment } from '../data/deployments/deployments.ts';
import { withoutWaiting } from '../data/deployments/waiting-signals.ts';
import { commandWrite } from '../data/engine/inputs.ts';
import { InstrumentMemory } from '../data/instruments/instrument-memory.ts';
import { itemWith } from '../data/table/items.ts';
import { cancelText } from '../domain/engine/running/reason-texts.ts';
import type { Runtime } from '../runtime.ts';
import { changeDeployment } from './deployment-change.ts';
import { decideBooksReport } from './reports/decide-books-report.ts';
import { ORDER_UPDATED } from './reports/report.ts';

const instruments = new InstrumentMemory();

/** Ends an order of a signal without a fill, in the books and in the account. Returns false if it waits no longer. */
const expireSignal = async (
  runtime: Runtime,
  { deployment_id }: TradingDeployment,
  client_order_id: string,
): Promise<boolean> => {
  const key = orderKey({ deployment_id, client_order_id });
  const changed = await changeDeployment(
    runtime,
    deployment_id,
    async (before, now, items) => {
      const known = asStoredOrder(itemWith(items, key));
      if (before?.kind !== 'live' || !known) return undefined;
      const left = withoutWaiting(before, client_order_id);
      if (left === before) return undefined;
      const { symbol, side, order_type, quantity, fees, updated_at } = known;
      const report = ORDER_UPDATED.ofHub({
        deployment_id,
        client_order_id,
        // That of the account's own report of the end.
        sequence: 2,
        occurred_at: new Date(updated_at).toISOString(),
        symbol,
        side,
        order_type,
        quantity,
        status: 'expired',
        status_message: cancelText('unpriced'),
        filled_quantity: '0',
        fees,
      });
      const books = { now, items, recalled: undefined, instruments };
      const effect = (await decideBooksReport(runtime, left, report, books)) ?? {
        deployment: left,
        notifications: [],
      };
      const { version: number } = before;
      return {
        ...effect,
        deployment: { ...effect.deployment, last_hold: number },
        at: new Date(before.updated_at),
        writes: [
          ...(effect.writes ?? []),
          // An account that sees its first bar later must not fill the order.
          commandWrite(deployment_id, { number, type: 'withdraw', symbol, client_order_id }),
        ],
      };
    },
    [key],
  );
  return changed !== undefined;
};

/**
 * Ends the orders of signals of a deployment that have waited too long for a price: the bars of their symbols stopped, or
 * never began.
 *
 * @returns whether there were any.
 */
export const expireSignals = async (runtime: Runtime, deploymentId: number): Promise<boolean> => {
  const [deployment] = await findDeployments(runtime.store, [deploymentId]);
  if (deployment?.kind !== 'live') return false;
  const now = runtime.clock().getTime();
  let hasExpired = false;
  for (const { client_order_id, until } of deployment.waiting ?? []) {
    if (until <= now && (await expireSignal(runtime, deployment, client_order_id))) hasExpired = true;
  }
  return hasExpired;
};
