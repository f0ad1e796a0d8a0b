import { type Decimal, decimal } from '../../money.ts';
import type { ComparedFill, FillPart } from './attribute.ts';

/** A fill with what is not matched yet. */
interface Open {
  readonly fill: ComparedFill;
  left: Decimal;
}

const openOf = (fill: ComparedFill): Open => ({ fill, left: decimal(fill.quantity) });

const least = (left: Decimal, right: Decimal): Decimal => (left.lt(right) ? left : right);

/** Matches fills of one decision in their order, by quantity. */
const matchQueues = (expected: readonly Open[], found: readonly Open[]): FillPart[] => {
  const parts: FillPart[] = [];
  const wanted = [...expected];
  for (const one of found) {
    for (let [next] = wanted; next && one.left.gt(0); [next] = wanted) {
      const quantity = least(next.left, one.left);
      parts.push({ quantity, expected: next.fill, found: one.fill });
      next.left = next.left.minus(quantity);
      one.left = one.left.minus(quantity);
      if (next.left.eq(0)) wanted.shift();
    }
  }
  return parts;
};

/**
 * Returns the fills of an account with the trades that they close: the one that they name, else the oldest first, as a
 * broker's position has no trades. A fill that closes several is divided, one that closes more than is open keeps a rest
 * without a trade.
 */
const closesOf = (found: readonly ComparedFill[]): Open[] => {
  const trades: { readonly id: string; readonly side: string; left: Decimal }[] = [];
  return found.flatMap((fill): Open[] => {
    if (fill.decision === 'entry') {
      trades.push({ id: fill.client_order_id, side: fill.side, left: decimal(fill.quantity) });
      return [openOf(fill)];
    }
    const parts: Open[] = [];
    let left = decimal(fill.quantity);
    const named = trades.filter(({ id }) => id === fill.trade);
    for (const trade of [...named, ...trades]) {
      if (left.eq(0)) break;
      if (trade.side === fill.side || trade.left.eq(0)) continue;
      const quantity = least(trade.left, left);
      trade.left = trade.left.minus(quantity);
      left = left.minus(quantity);
      parts.push({ fill: { ...fill, trade: trade.id }, left: quantity });
    }
    return left.gt(0) ? [...parts, { fill: { ...fill, trade: undefined }, left }] : parts;
  });
};

/**
 * Causes that are a stop: a trailed one, which the account and its backtest may have moved at other times, and a market
 * order in the place of a stop that the price had passed before it could rest.
 */
const STOPS: ReadonlySet<string> = new Set(['trailing_stop', 'unprotected']);

const causeOf = ({ decision }: ComparedFill): string => (STOPS.has(decision) ? 'stop_loss' : decision);

const groupKey = ({ fill }: Open): string => `${fill.trade} ${causeOf(fill)} ${fill.side}`;

/**
 * Matches the fills of a backtest with those of an account: entries by their order, exits by the trade and the cause. The
 * parts cover each fill exactly once.
 *
 * @param found by time.
 */
export const matchFills = (expected: readonly ComparedFill[], found: readonly ComparedFill[]): FillPart[] => {
  const wanted = expected.map(openOf);
  const own = closesOf(found);
  const byKey = Map.groupBy(wanted, groupKey);
  const matched = [...Map.groupBy(own, groupKey)].flatMap(([key, group]) =>
    group.some(({ fill }) => fill.trade === undefined) ? [] : matchQueues(byKey.get(key) ?? [], group),
  );
  return [
    ...matched,
    ...wanted.flatMap(({ fill, left }) =>
      left.gt(0) ? [{ quantity: left, expected: fill, found: undefined }] : [],
    ),
    ...own.flatMap(({ fill, left }) =>
      left.gt(0) ? [{ quantity: left, expected: undefined, found: fill }] : [],
    ),
  ];
};
