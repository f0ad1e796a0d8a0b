import * as z from 'zod';
import type { Item } from '../table/attributes.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Key, Write } from '../table/writes.ts';

/** Seconds for which a repeated event is recognized. */
const KEEP_S = 30 * 86_400;

/** Returns the key of the item that records a processed event of a deployment. */
export const eventDigestKey = (deploymentId: number, digest: string): Key => ({
  pk: `EVENTS#${deploymentId}`,
  sk: digest,
});

const seconds = (now: Date): number => Math.floor(now.getTime() / 1000);

const itemSchema = z.object({ expires_at_s: z.number() });

/** Returns whether the item of a digest records a processed event. Expired items linger and do not count. */
export const isTakenEvent = (item: Item | undefined, now: Date): boolean =>
  item !== undefined && parseItem(itemSchema, item).expires_at_s > seconds(now);

/** Returns the write that records an event as processed. Its condition fails if it was processed before. */
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
