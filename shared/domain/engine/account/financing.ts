import { rolloverAt, type SwapTerms, swapOf } from '../../instruments/rollover.ts';
import { addDays, dayOf } from '../../periods.ts';
import type { Direction } from '../plan.ts';
import type { Account, OpenTrade } from './account.ts';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** Swap of one unit and rollover by weekday of the UTC day (Sunday is 0), per unit of price if it is a percentage. */
interface SwapTable {
  readonly long: readonly number[];
  readonly short: readonly number[];
  readonly isPercentage: boolean;
}

/** Some week. Its first day is a Sunday. */
const WEEK = Array.from({ length: WEEK_DAYS }, (_, weekday) => addDays('2024-01-07', weekday));
/** The epoch was a Thursday. */
const EPOCH_WEEKDAY = 4;

const tables = new WeakMap<SwapTerms, SwapTable>();

const tableOf = (terms: SwapTerms): SwapTable => {
  const known = tables.get(terms);
  if (known) return known;
  const amounts = (side: 'long' | 'short') =>
    WEEK.map((day) => Number(swapOf(terms, { side, quantity: '1', price: '1' }, day) ?? 0));
  const table = {
    long: amounts('long'),
    short: amounts('short'),
    isPercentage: terms.swap_calculation === 'percentage',
  };
  tables.set(terms, table);
  return table;
};

const chargeTrade = (account: Account, trade: OpenTrade, amount: number): void => {
  trade.swap += amount;
  account.cash += amount;
  account.liquidatedBelow = Number.POSITIVE_INFINITY;
  account.journal?.push({ type: 'swap', amount });
};

const swapFor = (table: SwapTable, side: Direction, weekday: number, price: number): number => {
  const amount = (side === 1 ? table.long : table.short)[weekday] ?? 0;
  return table.isPercentage ? amount * Math.abs(price) : amount;
};

/** Returns the first rollover after a moment. */
const nextRollover = (at: number): number => {
  const day = dayOf(at);
  const today = rolloverAt(day);
  return today > at ? today : rolloverAt(addDays(day, 1));
};

/**
 * Charges the swap of the rollovers up to a bar's start to the trades that are open. Trades are valued at the last
 * close.
 */
export const chargeRollovers = (account: Account, start: number): void => {
  const { swap, size_step } = account.settings;
  if (!swap) return;
  if (Number.isNaN(account.rollover)) {
    account.rollover = nextRollover(start);
    return;
  }
  while (account.rollover <= start) {
    const weekday = (Math.floor(account.rollover / DAY_MS) + EPOCH_WEEKDAY) % WEEK_DAYS;
    if (account.trades.length > 0) {
      const table = tableOf(swap);
      for (const trade of account.trades) {
        const amount = swapFor(table, trade.side, weekday, account.close);
        if (amount !== 0) chargeTrade(account, trade, amount * trade.steps * size_step);
      }
    }
    account.rollover = nextRollover(account.rollover);
  }
};
