import { decimal, toText } from '../money.ts';
import type { Ledger } from './ledger-state.ts';
import { averagePrice, type Position } from './position.ts';

/** The price that a position is marked at, and when it was made. */
export interface Mark {
  readonly price: string;
  readonly at: number;
  /** From the quote currency to the deployment's, where they differ. */
  readonly rate?: string | undefined;
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
    return { at: filled[0], price: filled[1], rate: filled[2] };
  }
  if (quote !== undefined) return { at: quote[0], price: quote[1], rate: quote[2] };
  const { cost, quantity, opened_at } = position;
  const size = contract_sizes[symbol] ?? '1';
  return { at: opened_at, price: toText(averagePrice(decimal(cost), decimal(quantity), size)) };
}

/**
 * The last rate known from the quote currency of a position to the deployment's. Undefined where they are one, or
 * nothing is open.
 */
export const lastRate = (ledger: Ledger, symbol: string): string | undefined => {
  const position = ledger.head.symbols[symbol]?.position;
  return position ? markOf(ledger, symbol, position, Number.POSITIVE_INFINITY, 'always').rate : undefined;
};
