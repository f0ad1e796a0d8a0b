import * as z from 'zod';
import { withUnknownOf } from '../../domain/unknown-fields.ts';
import { retryOnConflict } from '../numbered-list/retry.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

/** Most refused alerts of an address that are kept: the newest. */
const MAX_KEPT = 20;
/** Refusals of an address in a minute that are noted: a sender that runs wild writes no more. */
const MOST_A_MINUTE = 30;
const MINUTE_MS = 60_000;

const refusedSchema = z.object({
  at: z.string(),
  /** Code of the refusal; `invalid` for an alert that cannot be read. */
  code: z.string(),
  reason: z.string(),
  /** Start of the alert as it was sent, without what may be a secret. */
  text: z.string(),
});

export type RefusedAlert = z.output<typeof refusedSchema>;

const listSchema = z.object({
  /** Newest first. */
  alerts: z.array(refusedSchema),
  /** Minutes since 1970 of the newest one, and the refusals of that minute. */
  minute: z.number(),
  in_minute: z.number(),
  rev: z.number(),
});

const listIn = (items: Items, deploymentId: number) => {
  const item = itemWith(items, keys.refusedAlerts(deploymentId));
  return item && parseItem(listSchema, item);
};

/** Returns the refused alerts of a deployment among items that were read together, newest first. */
export const refusedIn = (items: Items, deploymentId: number): RefusedAlert[] =>
  listIn(items, deploymentId)?.alerts ?? [];

/** Notes a refused alert. No-op for more than a few in a minute. @throws ChangedMeanwhileError */
export const noteRefusedAlert = (
  store: Store,
  deploymentId: number,
  alert: RefusedAlert,
  now: Date,
): Promise<void> =>
  retryOnConflict(async () => {
    const key = keys.refusedAlerts(deploymentId);
    const known = listIn(await store.getMany([key], { consistent: true }), deploymentId);
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    const in_minute = 1 + (known?.minute === minute ? known.in_minute : 0);
    if (in_minute > MOST_A_MINUTE) return;
    const alerts = [alert, ...(known?.alerts ?? [])].slice(0, MAX_KEPT);
    await store.transact([
      {
        put: {
          ...key,
          entity: 'refused_alerts',
          ...withUnknownOf(known ?? {}, { alerts, minute, in_minute, rev: (known?.rev ?? 0) + 1 }),
        },
        if: known
          ? { condition: 'rev = :rev', values: { ':rev': known.rev } }
          : { condition: 'attribute_not_exists(pk)' },
      },
    ]);
  });

/** Returns the write that forgets the refused alerts of a deployment. */
export const forgetRefusedWrite = (deploymentId: number): Write => ({
  delete: keys.refusedAlerts(deploymentId),
});
