import { averagePrice, type Position } from './ledger-position.ts';
import type { Ledger } from './ledger-state.ts';
import { decimal, toText } from './money.ts';

/** The price that a position is marked at, and when it was made. */
export interface Mark {
  readonly price: string;
  readonly at: number;
}

/**
 * The newest price of a position up to an instant: its last quote or, where that is newer, its last fill. A
 * symbol without any quote has no market price: marked at its own fill it would always show no result.
 *
 * @param always marks a position without quotes too, at its last fill or at its average price.
 */
export function markOf(
  ledger: Ledger,
  symbol: string,
  position: Position,
  until?: number,
  always?: undefined,
): Mark | undefined;
export function markOf(
  ledger: Ledger,
  symbol: string,
  position: Position,
  until: number,
  always: 'always',
): Mark;
export function markOf(
  { quotes, contract_sizes }: Ledger,
  symbol: string,
  position: Position,
  until = Number.POSITIVE_INFINITY,
  always?: 'always',
): Mark | undefined {
  const quote = quotes[symbol]?.findLast(([at]) => at <= until);
  const { filled } = position;
  if (quote === undefined && always === undefined) return undefined;
  if (filled !== undefined && (quote === undefined || filled[0] > quote[0])) {
    return { at: filled[0], price: filled[1] };
  }
  if (quote !== undefined) return { at: quote[0], price: quote[1] };
  const { cost, quantity, opened_at } = position;
  const size = contract_sizes[symbol] ?? '1';
  return { at: opened_at, price: toText(averagePrice(decimal(cost), decimal(quantity), size)) };
}
