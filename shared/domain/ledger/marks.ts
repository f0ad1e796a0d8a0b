import type { Ledger } from './ledger-state.ts';
import type { Position } from './position.ts';
import { priceIn } from './splits.ts';

/** Price that a position is valued at, and its time. */
export interface Mark {
  readonly price: string;
  readonly at: number;
  /** Exchange rate from the quote currency to the deployment's, if they differ. */
  readonly rate?: string | undefined;
}

/**
 * Returns the newest price of a position up to an instant: its last quote or its last fill, whichever is newer. A symbol
 * without quotes has no market price: valued at its own fill, it would never show a result.
 *
 * @param always values a position without quotes too, at its last fill.
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
  ledger: Ledger,
  symbol: string,
  position: Position,
  until = Number.POSITIVE_INFINITY,
  always?: 'always',
): Mark | undefined {
  const quote = ledger.quotes[symbol]?.findLast(([at]) => at <= until);
  const { filled } = position;
  if (quote === undefined && always === undefined) return undefined;
  if (quote === undefined || filled[0] > quote[0]) {
    return { at: filled[0], price: filled[1], rate: filled[2] };
  }
  return { at: quote[0], price: priceIn(ledger, symbol, quote[1], quote[0], until), rate: quote[2] };
}

/**
 * Returns the last known rate from a position's quote currency to the deployment's; undefined if they are equal or
 * nothing is open.
 */
export const lastRate = (ledger: Ledger, symbol: string): string | undefined => {
  const position = ledger.head.symbols[symbol]?.position;
  return position ? markOf(ledger, symbol, position, Number.POSITIVE_INFINITY, 'always').rate : undefined;
};
