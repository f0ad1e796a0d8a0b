import { rolloverAt, rolloverChargeId } from '../instruments/rollover.ts';
import { add } from '../money.ts';
import { addDays, type Day, daysBetween, dayOf as utcDayOf } from '../periods.ts';
import { type Account, applyEntry, copyAccount, openPositions } from './account.ts';
import type { SwapEntry } from './entries.ts';
import { daysOf, type Held, type Ledger, MAX_HELD } from './ledger-state.ts';
import { markOf } from './marks.ts';

/** Most days back for which missed rollovers are charged. */
const MAX_MISSED_DAYS = 31;

const heldOf = (ledger: Ledger, account: Account, at: number): Held[] =>
  openPositions(account)
    .map(([symbol, position]): Held => {
      const { price, rate } = markOf(ledger, symbol, position, at, 'always');
      return [symbol, position.quantity, price, ...(rate === undefined ? ([] as const) : ([rate] as const))];
    })
    .sort(([left], [right]) => (left < right ? -1 : 1));

/** Returns whether events can still count before an instant, and all that do are remembered as single entries. */
const isOpen = (ledger: Ledger, at: number): boolean =>
  ledger.base.at <= at && daysOf(ledger).startOf(ledger.base.day) <= at;

/**
 * Returns the positions at the rollover of a day, at the prices of that moment. Beyond the ledger's memory they are the
 * ones kept when the base passed the day. A ledger that keeps none returns the oldest state that it knows.
 */
const heldAt = (ledger: Ledger, day: Day): Held[] => {
  const at = rolloverAt(day);
  const { rollovers } = ledger;
  if (rollovers !== undefined && !isOpen(ledger, at)) {
    return rollovers.held.find(([kept]) => kept === day)?.[1] ?? [];
  }
  const account = copyAccount(ledger.base);
  for (const entry of ledger.recent) {
    if (entry[1] > at) break;
    applyEntry(account, entry, ledger.contract_sizes[entry[2]] ?? '1');
  }
  return heldOf(ledger, account, at);
};

const latest = (first: Day, ...others: Day[]): Day =>
  others.reduce((last, day) => (day > last ? day : last), first);

type HeldAt = NonNullable<Ledger['rollovers']>['held'];

/** Limits the records of positions at rollovers; keeps the newest. */
const newestHeld = (held: HeldAt): HeldAt => {
  let count = 0;
  const first = held.findLastIndex(([, of]) => {
    count += of.length;
    return count > MAX_HELD;
  });
  return held.slice(Math.min(first + 1, held.length - 1));
};

/**
 * Keeps the positions at uncharged rollovers before `until`, which the base is about to pass. A rollover without a
 * record had no positions. Modifies `ledger`.
 */
export const keepHeld = (ledger: Ledger, until: number): void => {
  const { rollovers, base } = ledger;
  if (rollovers === undefined) return;
  const { through, held } = rollovers;
  const kept: typeof held = [];
  const last = latest(held.at(-1)?.[0] ?? through, through);
  // Most entries settle before the next rollover.
  if (rolloverAt(addDays(last, 1)) >= until) return;
  let day = addDays(latest(last, addDays(utcDayOf(until), -MAX_MISSED_DAYS)), 1);
  for (let at = rolloverAt(day); at < until; at = rolloverAt(day)) {
    const positions = isOpen(ledger, at) ? heldOf(ledger, base, at) : [];
    if (positions.length > 0) kept.push([day, positions]);
    day = addDays(day, 1);
  }
  if (kept.length > 0) ledger.rollovers = { ...rollovers, held: newestHeld([...held, ...kept]) };
};

/** A rollover to charge, or to charge again. */
export interface DueRollover {
  readonly day: Day;
  readonly held: readonly Held[];
  /** The positions charged before; undefined if the rollover was not charged yet. */
  readonly charged: readonly Held[] | undefined;
}

/** Returns whether late events can still change the positions at a rollover, and all its charges are remembered. */
const isCorrectable = (ledger: Ledger, day: Day): boolean => {
  const at = rolloverAt(day);
  return ledger.base.at < at && isOpen(ledger, at);
};

const isSame = (left: readonly Held[], right: readonly Held[]): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/** Returns the uncharged days up to `through`. */
const unchargedDays = (ledger: Ledger, through: Day): Day[] => {
  const last = ledger.rollovers?.through ?? addDays(through, -1);
  const missed = Math.min(daysBetween(last, through), MAX_MISSED_DAYS);
  return Array.from({ length: Math.max(0, missed) }, (_, index) => addDays(through, index + 1 - missed));
};

/** Returns the charged rollovers whose positions a late event changed, oldest first. */
export const changedRollovers = (ledger: Ledger): DueRollover[] =>
  (ledger.rollovers?.held ?? []).flatMap(([day, charged]): DueRollover[] => {
    if (day > (ledger.rollovers?.through ?? '') || !isCorrectable(ledger, day)) return [];
    const held = heldAt(ledger, day);
    return isSame(held, charged) ? [] : [{ day, held, charged }];
  });

/**
 * Returns the rollovers to charge up to the day `through`: first charged ones whose positions a late event changed, then
 * uncharged ones with positions, each oldest first.
 */
export const dueRollovers = (ledger: Ledger, through: Day): DueRollover[] => {
  const uncharged = unchargedDays(ledger, through).flatMap((day): DueRollover[] => {
    const held = heldAt(ledger, day);
    return held.length === 0 ? [] : [{ day, held, charged: undefined }];
  });
  return [...changedRollovers(ledger), ...uncharged];
};

/** Marks rollovers up to the day `through` as charged. */
export const withRolloversBooked = (
  ledger: Ledger,
  charged: readonly DueRollover[],
  through: Day,
): Ledger => {
  const before = ledger.rollovers ?? { through, held: [] };
  const last = latest(before.through, through);
  // A day without positions counts as charged too, because a late event may change that.
  const held = new Map([
    ...unchargedDays(ledger, last).map((day): [Day, Held[]] => [day, []]),
    ...before.held,
  ]);
  for (const { day, held: of } of charged) held.set(day, [...of]);
  return {
    ...ledger,
    rollovers: {
      ...before,
      through: last,
      held: newestHeld(
        [...held]
          .filter(([day]) => day > last || isCorrectable(ledger, day))
          .sort(([left], [right]) => (left < right ? -1 : 1)),
      ),
    },
  };
};

/** Returns the sum and number of a symbol's charges for a day's rollover, as far as the ledger remembers them. */
export const rolloverCharges = (
  ledger: Ledger,
  day: Day,
  symbol: string,
): { readonly amount: string; readonly count: number } => {
  const id = rolloverChargeId(day, symbol);
  const found = ledger.recent.filter(
    (entry): entry is SwapEntry =>
      entry[0] === 'swap' && entry[2] === symbol && (entry[3] === id || entry[3].startsWith(`${id}#`)),
  );
  return { amount: found.reduce((sum, entry) => add(sum, entry[4]), '0'), count: found.length };
};
