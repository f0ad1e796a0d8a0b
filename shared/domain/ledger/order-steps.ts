import { type Decimal, decimal, toText } from '../money.ts';
import { filledValue, type Order, type OrderUpdate } from '../orders/order-record.ts';
import { compareSequences, type Sequence } from '../orders/sequences.ts';
import type { FillEntry } from './entries.ts';

/** How far an order was filled by a time: all so far, unsigned. */
interface Step {
  readonly at: number;
  readonly sequence: Sequence;
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly fees: Decimal;
  /** A fill keeps the rate of the earliest report that told of it. */
  readonly rate: string | undefined;
}

interface Chain {
  /** What the base has of the order. */
  readonly settled: Step;
  readonly steps: readonly Step[];
}

const isSame = (left: Step, right: Step): boolean =>
  left.quantity.eq(right.quantity) && left.value.eq(right.value) && left.fees.eq(right.fees);

const direction = (order: Pick<Order, 'side'>): 1 | -1 => (order.side === 'buy' ? 1 : -1);

const filledBefore = (order: Order | undefined): Step => ({
  at: 0,
  sequence: order?.sequence ?? -1,
  quantity: decimal(order?.filled_quantity ?? '0'),
  value: decimal(order?.filled_value ?? '0'),
  fees: decimal(order?.fees ?? '0'),
  rate: undefined,
});

/** The order's steps that the ledger remembers: entries hold differences, so they are summed from the end. */
const readChain = (order: Order | undefined, entries: readonly FillEntry[]): Chain => {
  let reached = filledBefore(order);
  const steps: Step[] = [];
  for (const [, at, , , sequence, quantity, value, fees, rate] of entries.toReversed()) {
    steps.unshift({ ...reached, at, sequence, rate });
    const sign = order === undefined ? 1 : direction(order);
    reached = {
      at: 0,
      sequence: -1,
      quantity: reached.quantity.minus(decimal(quantity).times(sign)),
      value: reached.value.minus(decimal(value).times(sign)),
      fees: reached.fees.minus(fees),
      rate: undefined,
    };
  }
  return { settled: reached, steps };
};

/** A quantity is filled by the time at which that or more is reported. */
const withTimes = (steps: readonly Step[]): Step[] => {
  let by = Number.POSITIVE_INFINITY;
  return steps
    .toReversed()
    .map((step) => {
      by = Math.min(by, step.at);
      return { ...step, at: by };
    })
    .toReversed();
};

/** When a quantity was filled that two reports tell of, and at which rate: as the earlier of them says. */
const earlierOf = (left: Step, right: Step): Pick<Step, 'at' | 'rate'> => {
  const isLeft = left.at === right.at ? decimal(left.rate ?? '1').lte(right.rate ?? '1') : left.at < right.at;
  const { at, rate } = isLeft ? left : right;
  return { at, rate };
};

/** The steps with the latest report at their end; what was filled beyond it has been taken back. */
const extend = ({ settled, steps }: Chain, report: Step): Step[] => {
  const kept = steps.filter((step) => step.quantity.lt(report.quantity));
  const same = steps.find((step) => step.quantity.eq(report.quantity));
  if (same !== undefined) return [...kept, { ...report, ...earlierOf(same, report) }];
  return isSame(kept.at(-1) ?? settled, report) ? kept : [...kept, report];
};

/** Whether a report tells that a part of what another one tells of was taken back later. */
const takesBack = (later: Step, earlier: Step): boolean =>
  compareSequences(later.sequence, earlier.sequence) > 0 && later.quantity.lt(earlier.quantity);

/**
 * The steps with an older report among them, which tells how one of them came about, or that what others tell of
 * was taken back in between.
 */
const refine = ({ settled, steps: told }: Chain, report: Step): Step[] => {
  if (told.some((step) => takesBack(step, report))) return [...told];
  const steps = told.filter((step) => !takesBack(report, step));
  const isUntold = report.quantity.gt(settled.quantity) || settled.quantity.eq(0);
  const next = steps.findIndex((step) => step.quantity.gte(report.quantity));
  const later = steps[next];
  if (later === undefined || !isUntold) return steps;
  if (!later.quantity.eq(report.quantity)) {
    return isSame(steps[next - 1] ?? settled, report) ? steps : steps.toSpliced(next, 0, report);
  }
  const latest = compareSequences(report.sequence, later.sequence) > 0 ? report : later;
  return steps.with(next, { ...latest, ...earlierOf(later, report) });
};

const toEntries = (order: Order, settled: Step, steps: readonly Step[]): FillEntry[] => {
  const sign = direction(order);
  return steps.map((step, index) => {
    const before = steps[index - 1] ?? settled;
    return [
      'fill',
      step.at,
      order.symbol,
      order.client_order_id,
      step.sequence,
      toText(step.quantity.minus(before.quantity).times(sign)),
      toText(step.value.minus(before.value).times(sign)),
      toText(step.fees.minus(before.fees)),
      ...(step.rate === undefined ? ([] as const) : ([step.rate] as const)),
    ];
  });
};

/**
 * The entries of an order after one more report: the steps in which it was filled. The latest report tells how
 * far it is filled; an older one that comes late changes nothing of that, but tells when the first part was.
 *
 * @param order the order before the report, `merged` after it
 * @param at when the report counts
 */
export const stepsAfter = (
  order: Order | undefined,
  merged: Order,
  entries: readonly FillEntry[],
  update: OrderUpdate,
  contractSize: string,
  at: number,
): FillEntry[] => {
  const chain = readChain(order, entries);
  const report: Step = {
    at,
    sequence: update.sequence,
    quantity: decimal(update.filled_quantity),
    value: decimal(filledValue(update, contractSize)),
    fees: decimal(update.fees),
    rate: update.rate,
  };
  const isLatest = compareSequences(report.sequence, order?.sequence ?? -1) > 0;
  const steps = isLatest ? extend(chain, report) : refine(chain, report);
  return toEntries(merged, chain.settled, withTimes(steps));
};
