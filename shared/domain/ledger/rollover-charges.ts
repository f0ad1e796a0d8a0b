import { rolloverChargeId, type SwapTerms, swapOf } from '../instruments/rollover.ts';
import { converted, decimal, toText } from '../money.ts';
import type { Day } from '../periods.ts';
import { type DueRollover, rolloverCharges } from './ledger-rollovers.ts';
import type { Held, Ledger } from './ledger-state.ts';

/** A symbol to charge for a day's rollover. */
export interface DueCharge {
  readonly day: Day;
  readonly symbol: string;
  /** Undefined if no position was held after all. */
  readonly held: Held | undefined;
}

const find = (held: readonly Held[], symbol: string): Held | undefined => held.find(([of]) => of === symbol);

/** Returns the symbols whose position at a rollover is new or differs from the charged one. */
export const dueCharges = ({ day, held, charged }: DueRollover): DueCharge[] => {
  const symbols = new Set([...held, ...(charged ?? [])].map(([symbol]) => symbol));
  return [...symbols]
    .map((symbol) => ({ day, symbol, held: find(held, symbol), before: find(charged ?? [], symbol) }))
    .filter(({ held: now, before }) => String(now) !== String(before))
    .map(({ before: _, ...due }) => due);
};

const owed = (ledger: Ledger, { day, symbol, held }: DueCharge, terms: SwapTerms | undefined): string => {
  if (held === undefined || terms === undefined) return '0';
  const [, quantity, price, rate] = held;
  const signed = decimal(quantity);
  // Uses the contract size that the position is valued with.
  const contract_size = Number(ledger.contract_sizes[symbol] ?? terms.contract_size);
  const position = { side: signed.gt(0) ? 'long' : 'short', quantity: toText(signed.abs()), price } as const;
  return toText(converted(decimal(swapOf({ ...terms, contract_size }, position, day) ?? '0'), rate));
};

/**
 * Returns the missing charge of a position's rollover: the first one, or the correction after a late event.
 *
 * @param terms the rates of the first charge; those of the catalogue if there was none.
 * @param isTaken whether a first charge was ever made.
 * @returns undefined if nothing is missing.
 */
export const missingCharge = (
  ledger: Ledger,
  due: DueCharge,
  { terms, isTaken }: { readonly terms: SwapTerms | undefined; readonly isTaken: boolean },
): { readonly charge_id: string; readonly amount: string } | undefined => {
  const { day, symbol, held } = due;
  const { amount: charged, count } = rolloverCharges(ledger, day, symbol);
  // The charge is older than the ledger's memory, or from before the ledger recorded rollovers.
  if (isTaken && (count === 0 || ledger.rollovers === undefined)) return undefined;
  // Without rates only one case is known: a position that was closed in time owes nothing.
  if (held !== undefined && terms === undefined) return undefined;
  const amount = decimal(owed(ledger, due, terms)).minus(charged);
  if (amount.eq(0)) return undefined;
  const id = rolloverChargeId(day, symbol);
  return { charge_id: count === 0 ? id : `${id}#${count + 1}`, amount: toText(amount) };
};
