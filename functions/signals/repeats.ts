import { HubError } from '../../shared/api/errors.ts';
import { orderKey } from '../../shared/data/books/orders.ts';
import type { Deployment } from '../../shared/data/deployments/deployments.ts';
import { eventDigestKey, isTakenEvent } from '../../shared/data/deployments/event-digests.ts';
import { type Items, itemWith } from '../../shared/data/table/items.ts';
import type { Key } from '../../shared/data/table/writes.ts';
import { signalIdOf } from '../../shared/domain/engine/running/entry-orders.ts';
import type { Alert } from './alert.ts';
import { placesRealOrders } from './real-terms.ts';

type Digests = Alert['digests'];

const orderKeys = (deployment_id: number, digests: Digests): Key[] =>
  digests.map((digest) => orderKey({ deployment_id, client_order_id: signalIdOf(digest) }));

const markKeys = (deploymentId: number, digests: Digests): Key[] =>
  digests.map((digest) => eventDigestKey(deploymentId, digest));

/** Returns the keys of the orders and marks that a signal may have left before. */
export const repeatKeys = (deploymentId: number, digests: Digests): Key[] => [
  ...orderKeys(deploymentId, digests),
  ...markKeys(deploymentId, digests),
];

/**
 * Returns whether a signal took effect before.
 *
 * @param items read at {@link repeatKeys}
 * @throws HubError signal_refused for another signal with the id of one that took real effect: a template that sends the
 *   same id each time would trade once, and its owner should know.
 */
export const isRepeat = (items: Items, deployment: Deployment, digests: Digests, now: Date): boolean => {
  const { deployment_id: id, kind } = deployment;
  const isReal = placesRealOrders(deployment);
  if (kind === 'live' && !isReal) {
    return orderKeys(id, digests).some((key) => itemWith(items, key) !== undefined);
  }
  // The engine books a real order later; the marks are written with the signal.
  const marks = markKeys(id, digests).map((key) => isTakenEvent(itemWith(items, key), now));
  if (isReal && marks[0] && !marks[1]) {
    throw new HubError('signal_refused', 'Another alert had this id. Let each alert have an id of its own.');
  }
  return marks.includes(true);
};
