import type { OrderRefusedError } from '../../channels/execution/execution-broker.ts';
import { asDeployment, type TradingDeployment } from '../../data/deployments/deployments.ts';
import { findOrderInHand } from '../../data/execution/orders-in-hand.ts';
import type { Protection, ProtectiveExit } from '../../data/execution/protections.ts';
import { keys } from '../../data/table/keys.ts';
import { brokerOrderIdOf } from '../../domain/orders/broker-order-ids.ts';
import { changeDeployment } from '../../lifecycle/deployment-change.ts';
import { type Access, BROKER_DOUBTS, type ExecutionRuntime } from '../execution-runtime.ts';
import { isTrading } from './exit-plan.ts';

/** Requests the end of what is left of an entry. Its order learns of it at the next look. No-op if it is not open. */
export const cancelEntry = async (
  { store }: ExecutionRuntime,
  { deployment_id, entry }: Protection,
  { broker }: Access,
): Promise<void> => {
  const order = await findOrderInHand(store, brokerOrderIdOf({ deployment_id, client_order_id: entry }));
  if (order?.state === 'open' && order.broker_order_id !== undefined)
    await broker.cancel(order.broker_order_id);
};

const readChoice = async (
  { store }: ExecutionRuntime,
  { deployment_id }: Protection,
): Promise<NonNullable<TradingDeployment['unprotected']>> => {
  const [item] = await store.getMany([keys.deployment(deployment_id)], { consistent: true });
  const deployment = asDeployment(item);
  return (deployment?.kind === 'live' ? deployment.unprotected : undefined) ?? 'close';
};

/** Notifies the owner of a position without its stop. */
export const notifyUnprotected = async (
  work: ExecutionRuntime,
  { deployment_id, symbol }: Protection,
  body: string,
): Promise<void> => {
  await changeDeployment(work, deployment_id, (deployment) => {
    if (deployment?.kind !== 'live') return undefined;
    return {
      deployment,
      notifications: [
        {
          kind: 'order_rejected',
          severity: 'error',
          symbol,
          title: `${deployment.strategy_name}: ${symbol} has no stop at the broker`,
          body,
          data: { symbol },
        },
      ],
    };
  });
};

/** Refusals of which the owner is notified once. */
export const REFUSED = 'refused';
export const CLOSE_REFUSED = 'close-refused';

/**
 * Takes over the broker's refusal of an exit. A rest of the entry that blocks it is cancelled. A stop that the price has
 * passed closes the trade at once. Of another refusal the owner is notified at once, and the choice of the deployment
 * decides: close, or keep and try again.
 */
export const refusedByBroker = async (
  work: ExecutionRuntime,
  protection: Protection,
  { reason, isBlocked, isUnavailable, passed }: OrderRefusedError,
  access: Access,
): Promise<Protection> => {
  if (isBlocked) {
    await cancelEntry(work, protection, access);
    return { ...protection, is_short_of: true, reason };
  }
  if (isUnavailable) return { ...protection, is_short_of: true, reason };
  const now = work.clock().getTime();
  const refused = { ...protection, reason, refused_at: now };
  if (protection.is_closing) {
    work.log.error(BROKER_DOUBTS.unprotected, { deployment_id: protection.deployment_id });
    if (protection.reported.includes(CLOSE_REFUSED)) return refused;
    const what = 'The position stays open without a stop. The close is tried every minute.';
    await notifyUnprotected(work, protection, `${reason} ${what}`);
    return { ...refused, reported: [...protection.reported, CLOSE_REFUSED] };
  }
  // A market that is closed may refuse what it takes once it opens.
  const mayClose = isTrading(protection, now) && !protection.is_other_units;
  if (passed && mayClose) return { ...protection, reason, is_closing: true };
  if (!mayClose) return refused;
  const isClosing = (await readChoice(work, protection)) === 'close';
  if (!protection.reported.includes(REFUSED)) {
    work.log.error(BROKER_DOUBTS.unprotected, { deployment_id: protection.deployment_id });
    const what = isClosing
      ? 'The position is closed at once.'
      : 'The position stays. The stop is tried every minute.';
    await notifyUnprotected(work, protection, `${reason} ${what}`);
  }
  const reported = [...new Set([...protection.reported, REFUSED])];
  return isClosing
    ? { ...protection, reason, is_closing: true, reported }
    : { ...refused, reported, state: 'refused' };
};

/** Takes over the broker's refusal to move an exit, which stays as it is. */
export const refusedMove = (
  work: ExecutionRuntime,
  protection: Protection,
  exit: ProtectiveExit,
  { reason, passed }: OrderRefusedError,
): Protection => {
  const now = work.clock().getTime();
  const isStop = exit.move?.level === 'stop';
  if (passed === 'stop' && isStop && isTrading(protection, now)) {
    return { ...protection, reason, is_closing: true };
  }
  work.log.error(BROKER_DOUBTS.notMoved, { deployment_id: protection.deployment_id });
  const kept = { ...exit, move: undefined, refusals: (exit.refusals ?? 0) + 1, refused_at: now };
  return {
    ...protection,
    reason,
    exits: protection.exits.map((each) => (each.id === exit.id ? kept : each)),
  };
};
