import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../../shared/api/call.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { ConditionFailedError } from '../../../shared/data/table/store.ts';
import { textId } from '../../../shared/ids.ts';

/** Slots for waiting requests, fewer than the parallel runs of the function, so that others are answered meanwhile. */
export const SLOTS = 40;
/** Slots that a caller may use. */
const SLOTS_OF_CALLER = 2;
/** Milliseconds after which the slot of a request that crashed is free. */
const LEASE_MS = 20_000;
/** Milliseconds between two looks. */
const PAUSE_MS = 1000;

/** Returns the slots of a caller, so that nobody takes the slots of all. */
const slotsOf = (caller: string): number[] => {
  const [first = 0] = Buffer.from(hash('sha256', caller, 'hex'), 'hex');
  const pair = first % (SLOTS / SLOTS_OF_CALLER);
  return Array.from({ length: SLOTS_OF_CALLER }, (_, index) => pair * SLOTS_OF_CALLER + index);
};

const take = async ({ store, clock }: Call, slot: number, holder: string): Promise<boolean> => {
  const now = clock().getTime();
  try {
    await store.put(
      {
        ...keys.changeWait(slot),
        entity: 'change_wait',
        holder,
        leased_until: now + LEASE_MS,
        expires_at_s: Math.ceil((now + LEASE_MS) / 1000),
      },
      { condition: 'attribute_not_exists(pk) OR leased_until < :now', values: { ':now': now } },
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};

const release = async ({ store }: Call, slot: number, holder: string): Promise<void> => {
  try {
    await store.delete(keys.changeWait(slot), {
      condition: 'holder = :holder',
      values: { ':holder': holder },
    });
  } catch (error) {
    // The lease has ended, and another request has the slot.
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};

/**
 * Looks once a second until something is there. Returns at once if no slot is free.
 *
 * @param caller shares two slots with few others.
 * @param isThere looks.
 */
export const waitFor = async (
  call: Call,
  caller: string,
  seconds: number,
  isThere: () => Promise<boolean>,
): Promise<void> => {
  const holder = textId(call.random);
  for (const slot of slotsOf(caller)) {
    if (!(await take(call, slot, holder))) continue;
    try {
      for (let looks = 0; looks < seconds; looks++) {
        await sleep(PAUSE_MS);
        if (await isThere()) return;
      }
      return;
    } finally {
      await release(call, slot, holder);
    }
  }
};
