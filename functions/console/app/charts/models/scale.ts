import { growthLine, isWide, type LinePoint } from './lines.ts';

/** Scale of a chart of equity. */
export type Scale = 'amount' | 'percent' | 'log';

/** Ratio of the moves from which on buying and holding dwarfs the equity. */
const DWARFS = 4;

const spanOf = (line: readonly LinePoint[]): number => {
  const values = line.map(({ value }) => value);
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);
};

/** Tells whether buying and holding moves so much more than the equity that the equity looks flat. */
const isDwarfed = (equity: readonly LinePoint[], held: readonly LinePoint[]): boolean =>
  spanOf(held) > DWARFS * spanOf(equity);

/** Tells whether lines have a logarithm. */
export const hasLogarithm = (lines: readonly (readonly LinePoint[])[]): boolean =>
  lines.every((line) => line.every(({ value }) => value > 0));

/**
 * Returns the scale that shows equity and holding best, and the reason: the logarithm for lines that change more than
 * fivefold or if holding dwarfs the equity; percent if there is no logarithm; else the amount.
 */
export const usualScale = (
  equity: readonly LinePoint[],
  held: readonly LinePoint[],
): { readonly scale: Scale; readonly reason: string } => {
  const isLarge = isDwarfed(equity, held);
  if (!isLarge && !isWide([...equity, ...held])) return { scale: 'amount', reason: '' };
  const cause = isLarge
    ? `Buying and holding moved more than ${DWARFS} times as much as the equity`
    : 'A line changed more than fivefold';
  if (hasLogarithm([equity, held])) return { scale: 'log', reason: `${cause}, so the scale is logarithmic.` };
  return growthLine(equity).length > 0
    ? { scale: 'percent', reason: `${cause}, so the scale is in percent of the start.` }
    : { scale: 'amount', reason: '' };
};
