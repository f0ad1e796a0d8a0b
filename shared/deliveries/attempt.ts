import {
  completeDelivery,
  type Delivery,
  postponeDelivery,
  takeDelivery,
} from '../data/outbox/deliveries.ts';
import { NewerRecordError } from '../data/table/newer-record.ts';
import type { Runtime } from '../runtime.ts';
import { DeliveryRefusedError, NewerMessageError, RetryLaterError, RetrySoonError } from './failures.ts';

/**
 * Sends a message. Returns whether its record must still be removed.
 *
 * @throws Error if it could not be sent
 */
export type Send = (runtime: Runtime, delivery: Delivery) => Promise<boolean>;

/**
 * Makes one attempt at a message, after the given number of attempts. Throws only if the outbox cannot be
 * reached.
 */
export type Deliver = (runtime: Runtime, deliveryId: string, seenAttempts: number) => Promise<void>;

/** Retries what only a newer version can deliver at a steady pace: a deployment takes minutes. */
const NEWER_EVERY_MS = 60_000;

/** A code is valid for minutes, so its gaps do not grow. The sweep runs once a minute. */
const SOON_MS = 10_000;

/** Answers of SES and SNS that are permanent for the message. */
const FINAL = new Set([
  'MessageRejected',
  'BadRequestException',
  'InvalidParameterException',
  'InvalidParameterValueException',
  'OptedOutException',
]);

const isFinal = (error: unknown): boolean =>
  error instanceof DeliveryRefusedError || (error instanceof Error && FINAL.has(error.name));

/** Describes an error by its name: its message may hold the address, unless the error is our own. */
const reasonOf = (error: unknown): string => {
  if (
    error instanceof DeliveryRefusedError ||
    error instanceof RetryLaterError ||
    error instanceof RetrySoonError ||
    error instanceof NewerMessageError
  )
    return error.message;
  return error instanceof Error ? error.name : typeof error;
};

/**
 * Makes the delivery of messages by a way of sending. A message that another run delivers or has delivered is
 * skipped. A failed one is put back for later or, at the end, among the dead letters.
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
      const { afterMs, keepMs } = error instanceof RetryLaterError ? error : {};
      const isNewer = error instanceof NewerMessageError || error instanceof NewerRecordError;
      const outcome = {
        reason,
        final: isFinal(error),
        ...(afterMs !== undefined && { afterMs }),
        ...(keepMs !== undefined && { keepMs }),
        ...(isNewer && { everyMs: NEWER_EVERY_MS }),
        ...(error instanceof RetrySoonError && { everyMs: SOON_MS }),
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
