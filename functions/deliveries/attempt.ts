import {
  completeDelivery,
  type Delivery,
  postponeDelivery,
  takeDelivery,
} from '../../shared/data/outbox/outbox.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { Later, NewerMessage, Refused } from './failures.ts';

/**
 * Sends a message, which is then done with; whether its record is still to be removed is the answer.
 * Throws where it could not be sent.
 */
export type Send = (runtime: Runtime, delivery: Delivery) => Promise<boolean>;

/**
 * Makes one attempt at a message that had so many when it was found. What it throws, it throws because the
 * outbox could not be reached.
 */
export type Deliver = (runtime: Runtime, deliveryId: string, seenAttempts: number) => Promise<void>;

/** A message of a newer version is tried at a steady pace: a deployment takes minutes. */
const NEWER_EVERY_MS = 60_000;

/** Answers of SES and SNS that the same message would get again. */
const FINAL = new Set([
  'MessageRejected',
  'BadRequestException',
  'InvalidParameterException',
  'InvalidParameterValueException',
  'OptedOutException',
]);

const isFinal = (error: unknown): boolean =>
  error instanceof Refused || (error instanceof Error && FINAL.has(error.name));

/** An error's name says what failed; its message may hold the addressee, unless it is one of ours. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Refused || error instanceof Later || error instanceof NewerMessage)
    return error.message;
  return error instanceof Error ? error.name : typeof error;
};

/**
 * How messages are delivered that are sent in some way. A message that somebody else is delivering, or has
 * delivered, is left alone; one that fails is put back for later or, at the end, among the dead letters.
 */
export const deliverBy =
  (send: Send): Deliver =>
  async (runtime, deliveryId, seenAttempts) => {
    const now = runtime.clock();
    const delivery = await takeDelivery(runtime.store, deliveryId, seenAttempts, now);
    if (!delivery) return;
    let isLeft: boolean;
    try {
      isLeft = await send(runtime, delivery);
    } catch (error) {
      const reason = reasonOf(error);
      const afterMs = error instanceof Later ? error.afterMs : undefined;
      const isNewer = error instanceof NewerMessage;
      const outcome = {
        reason,
        final: isFinal(error),
        ...(afterMs !== undefined && { afterMs }),
        ...(isNewer && { everyMs: NEWER_EVERY_MS }),
        now,
      };
      const state = await postponeDelivery(runtime.store, delivery, outcome);
      const line = {
        delivery_id: deliveryId,
        kind: delivery.message?.kind,
        attempts: delivery.attempts,
        reason,
      };
      if (isNewer && state === 'later') {
        runtime.metrics.count('WaitsForNewerVersion', { operation: 'deliveries' });
      }
      if (state === 'dead') runtime.log.error('delivery given up', line);
      else if (state === 'later') runtime.log.warn('delivery postponed', line);
      return;
    }
    if (isLeft) await completeDelivery(runtime.store, delivery);
  };
