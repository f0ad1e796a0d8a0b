import { type Decimal, scaled } from '../money.ts';
import { type Ratio, splitPriceText, splitQuantity } from '../splits/ratio.ts';
import type { SeriesSplit } from '../splits/split-bars.ts';
import type { Ledger } from './ledger-state.ts';
import type { Position } from './position.ts';

const NONE: readonly Ratio[] = [];

/** Returns the splits of a symbol from a time up to another one, oldest first. What has the time of a split comes before it. */
const splitsBetween = (
  { splits }: Pick<Ledger, 'splits'>,
  symbol: string,
  after: number,
  until: number,
): readonly Ratio[] => {
  const known = splits?.[symbol];
  // Nearly all ledgers have none, and each event asks several times.
  if (!known) return NONE;
  return known.filter(([at]) => at >= after && at <= until).map(([, units, of]) => ({ units, of }));
};

/** Returns a price of one time in the units of a later one. */
export const priceIn = (
  ledger: Pick<Ledger, 'splits'>,
  symbol: string,
  price: string,
  from: number,
  to: number,
): string => splitsBetween(ledger, symbol, from, to).reduce(splitPriceText, price);

/** Returns a quantity of one time in the newest units. */
export const inNewestUnits = (
  ledger: Pick<Ledger, 'splits'>,
  symbol: string,
  quantity: Decimal,
  from: number,
): Decimal => splitsBetween(ledger, symbol, from, Number.POSITIVE_INFINITY).reduce(splitQuantity, quantity);

/** Returns a quantity in the newest units in those of an earlier time. */
export const inUnitsOf = (
  ledger: Pick<Ledger, 'splits'>,
  symbol: string,
  quantity: Decimal,
  at: number,
): Decimal =>
  splitsBetween(ledger, symbol, at, Number.POSITIVE_INFINITY).reduceRight(
    (left, { units, of }) => scaled(left.times(of).div(units)),
    quantity,
  );

/** Returns when the prices of a symbol have its newest units: at the start of the first bar; -∞ without a split. */
export const newestUnitsFrom = ({ splits }: Pick<Ledger, 'splits'>, symbol: string): number => {
  const last = splits?.[symbol]?.at(-1);
  return last ? last[0] + 1 : Number.NEGATIVE_INFINITY;
};

/** Returns from when on a position has its units: its last fill, or the newest split in the ledger if that is newer. */
export const unitsHeldFrom = (
  ledger: Pick<Ledger, 'splits'>,
  symbol: string,
  { filled, opened_at }: Pick<Position, 'filled' | 'opened_at'>,
): number => Math.max(filled?.[0] ?? opened_at, newestUnitsFrom(ledger, symbol));

/**
 * Returns a price of candles in the units of a position. Positions of deployments that have ended are not restated, so
 * splits after their last fill are undone.
 *
 * @param heldFrom as of {@link unitsHeldFrom}.
 * @param splits of the series, up to the price.
 */
export const priceInUnitsHeld = (
  price: string,
  heldFrom: number,
  splits: readonly SeriesSplit[] = [],
): string =>
  splits
    .filter((split) => split.at > heldFrom)
    .reduce((restated, { units, of }) => splitPriceText(restated, { units: of, of: units }), price);
