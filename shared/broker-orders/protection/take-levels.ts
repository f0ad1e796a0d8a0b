import { findOrderInHand } from '../../data/execution/orders-in-hand.ts';
import { findProtection, saveProtection } from '../../data/execution/protections.ts';
import { brokerOrderIdOf } from '../../domain/orders/broker-order-ids.ts';
import type { ProtectionRequest } from '../../domain/orders/order-request-schema.ts';
import { type ExecutionRuntime, findAccess } from '../execution-runtime.ts';
import { noteFill, retryTaken } from './note-fill.ts';
import { protectTrades } from './protect-trades.ts';

/**
 * Takes levels of a trade that the hub has moved, and moves its exits. A request that a later one has overtaken changes
 * nothing, as one for a trade that is over.
 */
export const takeLevels = async (work: ExecutionRuntime, { detail }: ProtectionRequest): Promise<void> => {
  const { deployment_id, client_order_id: entry, symbol, number, stop, target } = detail;
  const id = brokerOrderIdOf({ deployment_id, client_order_id: entry });
  const order = await findOrderInHand(work.store, id);
  // The hub knows of the fill, so a protection is missing only if the run that made it has died.
  if (order) await noteFill(work, order);
  await retryTaken(async () => {
    const found = await findProtection(work.store, { deployment_id, symbol, entry });
    if (!found || found.due_at === undefined || number <= (found.moved_number ?? 0)) return;
    const moved = {
      ...found.moved,
      ...(stop !== undefined && { stop }),
      ...(target !== undefined && { target }),
    };
    const now = work.clock();
    await saveProtection(work.store, { ...found, moved, moved_number: number, due_at: now.getTime() }, now);
  });
  if (order) await protectTrades(work, order, await findAccess(work, order));
};
