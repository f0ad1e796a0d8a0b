import type * as z from 'zod';
import type { Effects } from '../../../shared/domain/engine/parity/attribute.ts';
import { decimal, shownPrice, toMoney, toText, zero } from '../../../shared/domain/money.ts';
import type { parityOut } from '../records/parity.ts';
import type { AttributedLeg, LegFill } from './attribute-leg.ts';

/** Fills that an answer shows, the newest. */
const MAX_FILLS = 200;

type Presented = NonNullable<z.output<typeof parityOut>['attribution']>;
type PresentedFill = Presented['fills'][number];

const kindOf = ({ part: { expected, found } }: LegFill): PresentedFill['kind'] => {
  if (expected && found) return 'matched';
  return expected ? 'missing' : 'extra';
};

const timeOf = ({ part: { expected, found } }: LegFill): number => found?.at ?? expected?.at ?? 0;

const presentFill = (fill: LegFill, currency: string): PresentedFill[] => {
  const { part, symbol, reason, delayMs, slippage, fees, delay, missing, extra } = fill;
  const { expected, found, quantity } = part;
  const own = found ?? expected;
  if (!own) return [];
  return [
    {
      kind: kindOf(fill),
      symbol,
      at: new Date(own.at).toISOString(),
      decision: own.decision,
      side: own.side,
      quantity: quantity.toNumber(),
      client_order_id: own.client_order_id,
      price: found ? shownPrice(found.price) : null,
      backtest_price: expected ? shownPrice(expected.price) : null,
      delay_ms: delayMs ?? null,
      reason,
      slippage: toMoney(toText(slippage), currency),
      fees: toMoney(toText(fees), currency),
      delay: toMoney(toText(delay), currency),
      missing: toMoney(toText(missing), currency),
      extra: toMoney(toText(extra), currency),
    },
  ];
};

/**
 * Presents the attributed fills of symbols. The effects are rounded so that their sum is the difference of the rounded
 * results: each is the step from one rounded sum to the next.
 */
export const presentAttribution = (legs: readonly AttributedLeg[], currency: string): Presented => {
  const parts = legs.map(({ attribution }) => attribution);
  const totalOf = (name: keyof Effects | 'real' | 'backtest') =>
    parts.reduce((sum, part) => sum.plus(part[name]), zero());
  let exact = totalOf('backtest');
  let shown = toMoney(toText(exact), currency);
  const backtest_pnl = shown;
  const stepOf = (name: keyof Effects): number => {
    exact = exact.plus(totalOf(name));
    const before = shown;
    shown = toMoney(toText(exact), currency);
    return decimal(shown).minus(before).toNumber();
  };
  const effects = {
    slippage: stepOf('slippage'),
    fees: stepOf('fees'),
    delay: stepOf('delay'),
    missing: stepOf('missing'),
    extra: stepOf('extra'),
  };
  const pnl = toMoney(toText(totalOf('real')), currency);
  const fills = parts.flatMap((part) => part.fills);
  const newest = fills.toSorted((left, right) => timeOf(right) - timeOf(left)).slice(0, MAX_FILLS);
  return {
    currency,
    pnl,
    backtest_pnl,
    difference: decimal(pnl).minus(backtest_pnl).toNumber(),
    ...effects,
    fills_count: fills.length,
    fills: newest.flatMap((fill) => presentFill(fill, currency)),
  };
};
