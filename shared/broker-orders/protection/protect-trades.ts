import { AccessRefusedError, BrokerLaterError } from '../../channels/execution/execution-broker.ts';
import type { OrderInHand } from '../../data/execution/orders-in-hand.ts';
import { findProtections } from '../../data/execution/protections.ts';
import {
  ORDER_REQUESTED,
  type OrderRequest,
  POSITION_CLOSE_REQUESTED,
} from '../../domain/orders/order-request-schema.ts';
import type { Access, ExecutionRuntime } from '../execution-runtime.ts';
import { unlessTaken } from '../unless-taken.ts';
import { attendProtection, takeProtection } from './attend-protection.ts';

const hasProtection = (request: OrderRequest | undefined): boolean =>
  request?.type === ORDER_REQUESTED && request.detail.protection !== undefined;

/**
 * Attends the protections that are due of the trades of an order, in the run that has learned of its fill. If the broker
 * does not answer, they stay due, and the job goes on.
 */
export const protectTrades = async (
  work: ExecutionRuntime,
  { deployment_id, facts, request }: OrderInHand,
  access: Access | undefined,
): Promise<void> => {
  const isOfTrade = request?.type === POSITION_CLOSE_REQUESTED || hasProtection(request);
  if (!access || !facts || !isOfTrade) return;
  const found = await findProtections(work.store, deployment_id, facts.symbol);
  const now = work.clock().getTime();
  for (const protection of found) {
    if (protection.due_at === undefined || protection.due_at > now) continue;
    try {
      await unlessTaken(async () => {
        await attendProtection(work, await takeProtection(work, protection), access);
      });
    } catch (error) {
      const isLeft = error instanceof BrokerLaterError || error instanceof AccessRefusedError;
      if (!isLeft) throw error;
      work.log.warn('a broker does not answer', { reason: error.message });
    }
  }
};
