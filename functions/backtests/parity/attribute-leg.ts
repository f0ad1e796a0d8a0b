import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import type { Series } from '../../../shared/data/candles/series.ts';
import { type BarColumns, barCount, firstBarFrom } from '../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../shared/domain/candles/calendar.ts';
import { closeTimeOf } from '../../../shared/domain/candles/close-time.ts';
import {
  type AttributedFill,
  type Attribution,
  attribute,
  type MarketPrices,
} from '../../../shared/domain/engine/parity/attribute.ts';
import type { Difference } from '../../../shared/domain/engine/parity/compare.ts';
import { matchFills } from '../../../shared/domain/engine/parity/match-fills.ts';
import { rehearseTo, startRehearsal } from '../../../shared/domain/engine/parity/rehearse.ts';
import { fromDouble, toText } from '../../../shared/domain/money.ts';
import type { ComparedLeg, StoredLeg } from './compare-leg.ts';
import { reasonOf } from './fill-reasons.ts';
import { expectedCharges, expectedFills, foundCharges, foundFills } from './real-fills.ts';

/** Attributed fill of a symbol. */
export interface LegFill extends AttributedFill {
  readonly symbol: string;
  readonly reason: string | null;
  /** Time from the close of the bar that decided to the fill; undefined if a price level decided. */
  readonly delayMs: number | undefined;
}

/** Comparison of a symbol with real orders. */
export interface AttributedLeg extends ComparedLeg {
  readonly attribution: Omit<Attribution, 'fills'> & { readonly fills: readonly LegFill[] };
}

/** A symbol of a deployment with real orders. */
interface RealLeg extends StoredLeg {
  readonly series: Series;
}

/** Returns the start of the last bar that a backtest of a leg trades through. */
const lastBar = ({ deployment, rehearsal, sub, series }: RealLeg): number => {
  const { bars } = rehearsal;
  const newest = bars.start.at(-1) ?? rehearsal.joinedAt;
  if (sub && sub.kind !== 'N' && sub.error !== undefined) return Math.min(newest, sub.at);
  if (deployment.stopped_at === undefined) return newest;
  const end = Date.parse(deployment.stopped_at);
  const calendar = calendarById(series.calendar);
  // A bar that closed after the end decided nothing.
  const last = bars.start.findLast((start) => closeTimeOf(calendar, deployment.timeframe, start) <= end);
  return last ?? rehearsal.joinedAt;
};

const pricesOf = (bars: BarColumns, to: number, contractSize: string): MarketPrices => {
  const mark = bars.close[firstBarFrom(bars, to + 1) - 1];
  return {
    mark: mark === undefined ? '0' : fromDouble(mark),
    contractSize,
    openAt: (at, decided) => {
      const position = firstBarFrom(bars, at + 1) - 1;
      const open = bars.open[position];
      return open !== undefined && (bars.start[position] ?? 0) > decided ? fromDouble(open) : undefined;
    },
  };
};

const differenceOf = ({ part, symbol, reason }: LegFill): Difference[] => {
  const { expected, found, quantity } = part;
  const fill = expected ?? found;
  if (!fill || (expected && found)) return [];
  const text = `${fill.side} ${toText(quantity)} at ${fill.price} by order ${fill.client_order_id} (${fill.decision})`;
  return [
    {
      kind: 'order',
      symbol,
      at: fill.at,
      expected: expected ? text : (reason ?? null),
      found: found ? text : (reason ?? null),
    },
  ];
};

/**
 * Compares a symbol of a deployment with real orders with a backtest of its rules alone over the same bars: manual closes,
 * commands and refusals are no part of it, so that what they cost or gained is missing or extra.
 */
export const attributeLeg = (own: RealLeg): AttributedLeg => {
  const { deployment, rehearsal, orders, trades, series } = own;
  const { bars, joinedAt, leg } = rehearsal;
  const { symbol } = leg;
  const to = lastBar(own);
  const run = startRehearsal({ ...rehearsal, inputs: [], holds: [], refusals: [] });
  rehearseTo(run, to);
  const fills = { expected: expectedFills(run.booked), found: foundFills(orders) };
  const parts = matchFills(fills.expected, fills.found);
  const openSwap = unpackLedger(deployment.ledger).head.symbols[symbol]?.position?.swap ?? '0';
  const attribution = attribute(parts, fills, pricesOf(bars, to, fromDouble(leg.contract_size)), {
    real: foundCharges(orders, trades, openSwap),
    backtest: expectedCharges(run.booked),
  });
  const facts = { orders, expected: fills.expected, parts, to };
  const calendar = calendarById(series.calendar);
  const explained = attribution.fills.map((fill): LegFill => {
    const { expected, found } = fill.part;
    const decided = expected?.isMarket ? closeTimeOf(calendar, deployment.timeframe, expected.at) : undefined;
    return {
      ...fill,
      symbol,
      reason: reasonOf(fill.part, facts),
      delayMs: decided !== undefined && found ? found.at - decided : undefined,
    };
  });
  const [first, end] = [firstBarFrom(bars, joinedAt + 1), firstBarFrom(bars, to + 1)];
  return {
    symbol,
    bars: Math.max(0, end - first),
    orders: fills.expected.length,
    trades:
      run.paper.account.trades.length + fills.expected.filter(({ decision }) => decision !== 'entry').length,
    from: barCount(bars) > 0 ? (bars.start[first] ?? joinedAt) : joinedAt,
    to: bars.start[end - 1] ?? joinedAt,
    differences: explained.flatMap(differenceOf),
    attribution: { ...attribution, fills: explained },
  };
};
