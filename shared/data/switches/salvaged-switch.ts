import { isRecord } from '../../domain/unknown-fields.ts';
import type { Item } from '../table/attributes.ts';
import { type Hold, holdSchema, type Switch } from './switches.ts';

const DAMAGED = 'The record of this throw was damaged. Orders stay stopped until the switch is re-armed.';

/** Revision after one that cannot be read. No switch changes as often, so no check of an earlier revision holds. */
const LOST_REV = 2 ** 40;

/** Returns the hold that stands for one that cannot be read. */
export const unreadableHold = (now: Date): Hold => ({
  at: now.toISOString(),
  reason: DAMAGED,
  flatten: false,
});

/** A damaged switch as far as it can be read. */
export interface SalvagedSwitch {
  readonly stored: Switch;
  /** Holders whose holds cannot be read. */
  readonly lost: readonly string[];
}

/**
 * Reads a damaged switch as far as that is possible, so that a change replaces it. A hold that cannot be read stays with its
 * holder.
 *
 * @param holders hold it if its holders cannot be read either.
 */
export const salvagedSwitch = (item: Item, holders: readonly string[], now: Date): SalvagedSwitch => {
  const unreadable = unreadableHold(now);
  const holds: Record<string, Hold> = {};
  const left: Record<string, Hold> = {};
  const lost: string[] = [];
  const found = isRecord(item.holds)
    ? item.holds
    : Object.fromEntries(holders.map((name) => [name, undefined]));
  for (const [name, stored] of Object.entries(found)) {
    const { success, data } = holdSchema.safeParse(stored);
    holds[name] = success ? data : unreadable;
    if (!success) lost.push(name);
  }
  for (const [name, stored] of Object.entries(isRecord(item.left) ? item.left : {})) {
    const { success, data } = holdSchema.safeParse(stored);
    left[name] = success ? data : unreadable;
  }
  const rev = typeof item.rev === 'number' ? item.rev : LOST_REV;
  return { stored: { holds, left, rev }, lost };
};

/** Returns whether somebody may hold a damaged switch: with a hold that cannot be read, or because its holders are lost. */
export const mayHold = ({ holds }: Item, holder: string): boolean =>
  !isRecord(holds) || Object.hasOwn(holds, holder);
