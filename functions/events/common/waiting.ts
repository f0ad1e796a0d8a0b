import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { parseItem } from '../../../shared/data/table/parse-item.ts';
import { ConditionFailedError } from '../../../shared/data/table/store.ts';

/** Requests that wait at a time, fewer than the parallel runs of the function, so that others are answered meanwhile. */
export const SLOTS = 40;
/** Those of one caller, of all callers of one wide network, and of all unproven accounts. */
const MOST_OF = { caller: 2, network: 8, unproven: 4 } as const;
/** Milliseconds after which the slot of a request that crashed is free. */
const LEASE_MS = 20_000;
/** Milliseconds between two looks. */
const PAUSE_MS = 1000;
/** Attempts to change the list while other requests change it, too. */
const ATTEMPTS = 4;
/** Characters of a hash that tell the few waiting ones apart. */
const HASH_CHARS = 11;
const HOLDER_BYTES = 9;

const waitSchema = z.object({
  holder: z.string(),
  caller: z.string(),
  network: z.string().optional(),
  unproven: z.literal(true).optional(),
  /** Epoch milliseconds. */
  until: z.number(),
});

type Wait = z.output<typeof waitSchema>;

const waitsSchema = z.object({ rev: z.number(), waits: z.array(waitSchema) });

const waitsIn = (item: Item | undefined) => (item ? parseItem(waitsSchema, item) : { rev: 0, waits: [] });

/** Caller that would like to wait. */
export interface Waiter {
  readonly name: string;
  /** Wide network that it shares slots with; undefined for this machine, and for brokers, which an operator knows. */
  readonly network: string | undefined;
  readonly isProven: boolean;
}

/** Returns whether there is a slot for a caller: nobody takes those of all with many accounts. */
export const hasSlot = (
  others: readonly Pick<Wait, 'caller' | 'network' | 'unproven'>[],
  { caller, network, unproven }: Pick<Wait, 'caller' | 'network' | 'unproven'>,
): boolean => {
  const count = (isOf: (wait: (typeof others)[number]) => boolean): number => others.filter(isOf).length;
  return (
    others.length < SLOTS &&
    count((wait) => wait.caller === caller) < MOST_OF.caller &&
    (network === undefined || count((wait) => wait.network === network) < MOST_OF.network) &&
    (unproven === undefined || count((wait) => wait.unproven === true) < MOST_OF.unproven)
  );
};

/**
 * Changes the list of waiting requests.
 *
 * @param change returns the new list; undefined to leave it.
 * @returns whether the list was changed. False, too, if other requests changed it in each attempt.
 */
const changeWaits = async (
  { store, clock }: Call,
  change: (waits: readonly Wait[]) => readonly Wait[] | undefined,
): Promise<boolean> => {
  const key = keys.changeWaits();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [item] = await store.getMany([key], { consistent: attempt > 0 });
    const { rev, waits } = waitsIn(item);
    const now = clock().getTime();
    const next = change(waits.filter(({ until }) => until > now));
    if (!next) return false;
    try {
      await store.put(
        {
          ...key,
          entity: 'change_waits',
          rev: rev + 1,
          waits: [...next],
          expires_at_s: Math.ceil((now + LEASE_MS) / 1000),
        },
        item
          ? { condition: 'rev = :rev', values: { ':rev': rev } }
          : { condition: 'attribute_not_exists(pk)' },
      );
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailedError)) throw error;
    }
  }
  return false;
};

/** Hashes with a key, so that the table holds neither a `user_id` nor a network. */
const hashesOf = async ({ keyRing }: Call, { name, network, isProven }: Waiter) => {
  const ring = await keyRing();
  const hash = (kind: string, text: string): string =>
    ring
      .mac('change-wait', JSON.stringify([kind, text]))
      .toString('base64url')
      .slice(0, HASH_CHARS);
  return {
    caller: hash('caller', name),
    ...(network !== undefined && { network: hash('network', network) }),
    ...(!isProven && { unproven: true as const }),
  };
};

/**
 * Looks once a second until something is there. Returns at once if the caller has no free slot.
 *
 * @param isThere looks.
 */
export const waitFor = async (
  call: Call,
  waiter: Waiter,
  seconds: number,
  isThere: () => Promise<boolean>,
): Promise<void> => {
  const holder = call.random(HOLDER_BYTES).toString('base64url');
  const own = await hashesOf(call, waiter);
  const isWaiting = await changeWaits(call, (waits) =>
    hasSlot(waits, own)
      ? [...waits, { ...own, holder, until: call.clock().getTime() + LEASE_MS }]
      : undefined,
  );
  if (!isWaiting) return;
  try {
    for (let looks = 0; looks < seconds; looks++) {
      await sleep(PAUSE_MS);
      if (await isThere()) return;
    }
  } finally {
    await changeWaits(call, (waits) => waits.filter((wait) => wait.holder !== holder));
  }
};
