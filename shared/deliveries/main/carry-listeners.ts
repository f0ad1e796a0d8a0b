import { createHash } from 'node:crypto';
import { activePage } from '../../data/books/active-deployments.ts';
import { pageOfOwned } from '../../data/deployments/deployment-pages.ts';
import { findDeployments } from '../../data/deployments/deployments.ts';
import { type Delivery, replaceDelivery } from '../../data/outbox/deliveries.ts';
import type { MessageOf } from '../../data/outbox/messages.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { carryListening } from '../../lifecycle/carry-listening.ts';
import { reportDamaged } from '../../lifecycle/report-damaged.ts';
import type { Runtime } from '../../runtime.ts';
import { RetryLaterError } from '../failures.ts';

const PAGE = 100;
/** Deployments of one message: changing them takes seconds. */
const PART = 25;
const ID_LENGTH = 32;

/** Returns the id of a part of a message; the same at each call. */
const partId = (deliveryId: string, part: number | 'next'): string =>
  createHash('sha256')
    .update(JSON.stringify([deliveryId, 'listeners', part]))
    .digest('base64url')
    .slice(0, ID_LENGTH);

interface Page {
  readonly ids: readonly number[];
  readonly next: string | undefined;
}

const pageOf = async (runtime: Runtime, message: MessageOf<'change_listeners'>): Promise<Page> => {
  const { store } = runtime;
  const { user_id: userId, broker_id: brokerId, after } = message;
  if (userId !== undefined) {
    const from = { after: Number(after ?? 0), limit: PAGE };
    const { ids, next } = await pageOfOwned(store, userId, from, (error) =>
      reportDamaged(runtime, error, { operation: 'change_listeners' }),
    );
    const deployments = await findDeployments(store, ids);
    const running = deployments.filter(({ status }) => !isFinalDeploymentStatus(status));
    return {
      ids: running.map(({ deployment_id }) => deployment_id),
      next: next === undefined ? undefined : String(next),
    };
  }
  const { entries, next } = await activePage(store, ['LIVE', 'WATCH'], after, PAGE);
  // One whose broker cannot be read may be of the broker.
  const own = entries.filter(({ broker_id = brokerId }) => broker_id === brokerId);
  return { ids: own.map(({ deployment_id }) => deployment_id), next };
};

/**
 * Carries to running deployments who listens to their changes, page by page. Each gets the listeners of the moment of its
 * change, so a repeat changes nothing. Returns whether the record must still be removed.
 *
 * @throws RetryLaterError before the time of the message.
 */
export const carryListeners = async (
  runtime: Runtime,
  delivery: Delivery,
  message: MessageOf<'change_listeners'>,
): Promise<boolean> => {
  const { store, clock } = runtime;
  const { deployments, not_before = 0, ...others } = message;
  const wait = not_before - clock().getTime();
  if (wait > 0) throw new RetryLaterError('not before its time', wait);
  if (deployments) {
    for (const id of deployments) await carryListening(runtime, id);
    return true;
  }
  const { ids, next } = await pageOf(runtime, message);
  const parts = Array.from({ length: Math.ceil(ids.length / PART) }, (_, part) => ({
    deliveryId: partId(delivery.delivery_id, part),
    message: { ...others, deployments: ids.slice(part * PART, (part + 1) * PART) },
  }));
  const rest =
    next === undefined
      ? []
      : [{ deliveryId: partId(delivery.delivery_id, 'next'), message: { ...others, after: next } }];
  await replaceDelivery(store, delivery, [...parts, ...rest], clock());
  return false;
};
