import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, parseReadable } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import { DEAD_KIND, dueKind, LANES, type Lane } from './lanes.ts';

const deadLetter = z.object({
  delivery_id: z.string(),
  message: z.object({ kind: z.string() }),
  attempts: z.number(),
  /** Epoch milliseconds. */
  created_at: z.number(),
  /** Time at which it was given up, epoch milliseconds. */
  due_at: z.number(),
  reason: z.string(),
});

/** A message that was given up: its kind and the reason, never the recipient. */
export type DeadLetter = z.output<typeof deadLetter>;

const placeOf = ({ pk, due_at }: Item): string =>
  `the dead letter ${String(pk)}, given up at ${String(due_at)}, cannot be read`;

/** Lists messages given up until a moment, oldest first. Reports those that cannot be read, which count for the limit. */
export const findDeadLetters = async (
  store: Store,
  until: Date,
  limit: number,
  onDamaged: OnDamaged,
): Promise<DeadLetter[]> => {
  const items = await store.queryItems({
    IndexName: 'due',
    KeyConditionExpression: 'due_kind = :kind AND due_at <= :until',
    ExpressionAttributeValues: { ':kind': DEAD_KIND, ':until': until.getTime() },
    Limit: limit,
  });
  return parseReadable(deadLetter, items, placeOf, onDamaged);
};

const reviveIn = async (store: Store, lane: Lane, deliveryId: string, now: Date): Promise<boolean> => {
  try {
    await store.update(
      keys.outbox(deliveryId),
      {
        update: 'SET due_kind = :due, due_at = :now, created_at = :now REMOVE expires_at_s, reason',
        condition: 'due_kind = :dead AND entity = :entity',
        values: {
          ':due': dueKind(lane, deliveryId),
          ':dead': DEAD_KIND,
          ':now': now.getTime(),
          ':entity': LANES[lane].entity,
        },
      },
      z.object({}),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};

/**
 * Makes a dead letter due again as if it had been written now, with another day of attempts. A message whose content
 * has expired is given up again.
 *
 * @returns false if the message is not a dead letter.
 */
export const reviveDeadLetter = async (store: Store, deliveryId: string, now: Date): Promise<boolean> => {
  const lanes: readonly Lane[] = ['bulk', 'main', 'push', 'events', 'orders'];
  for (const lane of lanes) {
    if (await reviveIn(store, lane, deliveryId, now)) return true;
  }
  return false;
};
