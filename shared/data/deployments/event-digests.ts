import * as z from 'zod';
import { parseItem } from '../table/parse-item.ts';
import type { Key, Write } from '../table/store.ts';

/** How long a repeat of an event is known, in seconds. */
const KEEP_S = 30 * 86_400;

/** The item that says that an event of a deployment was taken. */
export const eventDigestKey = (deploymentId: number, digest: string): Key => ({
  pk: `EVENTS#${deploymentId}`,
  sk: digest,
});

const seconds = (now: Date): number => Math.floor(now.getTime() / 1000);

const itemSchema = z.object({ expires_at_s: z.number() });

/** Whether the item of a digest says that the event was taken. Expired items linger, and say nothing. */
export const isTakenEvent = (item: Readonly<Record<string, unknown>> | undefined, now: Date): boolean =>
  item !== undefined && parseItem(itemSchema, item).expires_at_s > seconds(now);

/** Writes that an event was taken; refused where it was taken before. */
export const eventDigestWrite = (deploymentId: number, digest: string, now: Date): Write => ({
  put: {
    ...eventDigestKey(deploymentId, digest),
    entity: 'event_digest',
    expires_at_s: seconds(now) + KEEP_S,
  },
  if: {
    condition: 'attribute_not_exists(pk) OR expires_at_s <= :now',
    values: { ':now': seconds(now) },
  },
});
