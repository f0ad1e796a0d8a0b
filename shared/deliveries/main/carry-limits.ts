import { createHash } from 'node:crypto';
import { findRunning } from '../../data/books/running-deployments.ts';
import { type Delivery, replaceDelivery } from '../../data/outbox/deliveries.ts';
import type { MessageOf } from '../../data/outbox/messages.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { carryUserLimits } from '../../lifecycle/risk-limits.ts';
import type { Runtime } from '../../runtime.ts';

/** Deployments of one message: changing them takes seconds. */
const PART = 25;
const ID_LENGTH = 32;

/** Returns the id of a part of a message; the same at each call. */
const partId = (deliveryId: string, part: number): string =>
  createHash('sha256')
    .update(JSON.stringify([deliveryId, 'limits', part]))
    .digest('base64url')
    .slice(0, ID_LENGTH);

/**
 * Carries the risk limits of a user to the running deployments. Each gets the limits of the moment of its change, so a
 * repeat changes nothing. Returns whether the record must still be removed.
 */
export const carryLimits = async (
  runtime: Runtime,
  delivery: Delivery,
  { user_id, deployments }: MessageOf<'risk_limits'>,
): Promise<boolean> => {
  const { store, clock } = runtime;
  if (deployments) {
    for (const id of deployments) await carryUserLimits(runtime, id, user_id);
    return true;
  }
  const running = (await findRunning(store, user_id)).filter(
    ({ status }) => !isFinalDeploymentStatus(status),
  );
  const ids = running.map(({ deployment_id }) => deployment_id);
  const parts = Array.from({ length: Math.ceil(ids.length / PART) }, (_, part) => ({
    deliveryId: partId(delivery.delivery_id, part),
    message: {
      kind: 'risk_limits' as const,
      user_id,
      deployments: ids.slice(part * PART, (part + 1) * PART),
    },
  }));
  await replaceDelivery(store, delivery, parts, clock());
  return false;
};
