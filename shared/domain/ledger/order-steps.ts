import { type Decimal, decimal, toText } from '../money.ts';
import { filledValue, type Order, type OrderUpdate } from '../orders/order-record.ts';
import { compareSequences, type Sequence } from '../orders/sequence-input.ts';
import type { FillEntry } from './entries.ts';
import type { Ledger } from './ledger-state.ts';
import { inNewestUnits, inUnitsOf } from './splits.ts';

/** Splits by symbol. */
type Splits = Pick<Ledger, 'splits'>;

/** Cumulative fill of an order at a time; unsigned. Quantities are in the newest units. */
interface Step {
  readonly at: number;
  readonly sequence: Sequence;
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly fees: Decimal;
  /** Rate of the earliest report of the fill. */
  readonly rate: string | undefined;
}

interface Chain {
  /** Cumulative fill of the order in the base. */
  readonly settled: Step;
  readonly steps: readonly Step[];
}

const isSame = (left: Step, right: Step): boolean =>
  left.quantity.eq(right.quantity) && left.value.eq(right.value) && left.fees.eq(right.fees);

const direction = (order: Pick<Order, 'side'>): 1 | -1 => (order.side === 'buy' ? 1 : -1);

const filledBefore = (order: Order | undefined, ledger: Splits): Step => ({
  at: 0,
  sequence: order?.sequence ?? -1,
  quantity: order
    ? inNewestUnits(ledger, order.symbol, decimal(order.filled_quantity), order.updated_at)
    : decimal('0'),
  value: decimal(order?.filled_value ?? '0'),
  fees: decimal(order?.fees ?? '0'),
  rate: undefined,
});

/** Reads the steps of an order from the ledger's entries. Entries hold differences, so they are summed from the end. */
const readChain = (order: Order | undefined, entries: readonly FillEntry[], ledger: Splits): Chain => {
  let reached = filledBefore(order, ledger);
  const steps: Step[] = [];
  for (const [, at, symbol, , sequence, quantity, value, fees, rate] of entries.toReversed()) {
    steps.unshift({ ...reached, at, sequence, rate: rate ?? undefined });
    const sign = order === undefined ? 1 : direction(order);
    reached = {
      at: 0,
      sequence: -1,
      quantity: reached.quantity.minus(inNewestUnits(ledger, symbol, decimal(quantity), at).times(sign)),
      value: reached.value.minus(decimal(value).times(sign)),
      fees: reached.fees.minus(fees),
      rate: undefined,
    };
  }
  return { settled: reached, steps };
};

/** Sets the time of each step: a quantity was filled when it, or more, was first reported. */
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

/** Returns time and rate of the earlier of two reports of the same quantity. */
const earlierOf = (left: Step, right: Step): Pick<Step, 'at' | 'rate'> => {
  const leftIsEarlier =
    left.at === right.at ? decimal(left.rate ?? '1').lte(right.rate ?? '1') : left.at < right.at;
  const { at, rate } = leftIsEarlier ? left : right;
  return { at, rate };
};

/** Applies the latest report: adds it as the last step; removes steps beyond it, which were taken back. */
const extend = ({ settled, steps }: Chain, report: Step): Step[] => {
  const kept = steps.filter((step) => step.quantity.lt(report.quantity));
  const same = steps.find((step) => step.quantity.eq(report.quantity));
  if (same !== undefined) return [...kept, { ...report, ...earlierOf(same, report) }];
  return isSame(kept.at(-1) ?? settled, report) ? kept : [...kept, report];
};

/** Returns whether a later report shows that part of an earlier fill was taken back. */
const takesBack = (later: Step, earlier: Step): boolean =>
  compareSequences(later.sequence, earlier.sequence) > 0 && later.quantity.lt(earlier.quantity);

/**
 * Applies an older report, which shows how a step was reached, or that earlier fills were taken back in between.
 */
const refine = ({ settled, steps: known }: Chain, report: Step): Step[] => {
  if (known.some((step) => takesBack(step, report))) return [...known];
  const steps = known.filter((step) => !takesBack(report, step));
  const isBeyondBase = report.quantity.gt(settled.quantity) || settled.quantity.eq(0);
  const next = steps.findIndex((step) => step.quantity.gte(report.quantity));
  const later = steps[next];
  if (later === undefined || !isBeyondBase) return steps;
  if (!later.quantity.eq(report.quantity)) {
    return isSame(steps[next - 1] ?? settled, report) ? steps : steps.toSpliced(next, 0, report);
  }
  const latest = compareSequences(report.sequence, later.sequence) > 0 ? report : later;
  return steps.with(next, { ...latest, ...earlierOf(later, report) });
};

const toEntries = (order: Order, settled: Step, steps: readonly Step[], ledger: Splits): FillEntry[] => {
  const sign = direction(order);
  return steps.map((step, index) => {
    const before = steps[index - 1] ?? settled;
    const quantity = inUnitsOf(ledger, order.symbol, step.quantity.minus(before.quantity), step.at);
    return [
      'fill',
      step.at,
      order.symbol,
      order.client_order_id,
      step.sequence,
      toText(quantity.times(sign)),
      toText(step.value.minus(before.value).times(sign)),
      toText(step.fees.minus(before.fees)),
      step.rate ?? null,
      order.created_at,
      order.place ?? null,
    ];
  });
};

/**
 * Returns the entries of an order after a report: the steps in which it was filled. The latest report decides how much
 * is filled; an older one that arrives late only adds when the first part was.
 *
 * @param known entries of the order in the ledger; `order`: the order before the report; `merged`: after it.
 * @param at time at which the report counts, in milliseconds. Its quantity is in the units of its own time.
 */
export const stepsAfter = (
  ledger: Splits,
  {
    order,
    merged,
    known,
  }: {
    readonly order: Order | undefined;
    readonly merged: Order;
    readonly known: readonly FillEntry[];
  },
  {
    update,
    contractSize,
    at,
  }: { readonly update: OrderUpdate; readonly contractSize: string; readonly at: number },
): FillEntry[] => {
  const chain = readChain(order, known, ledger);
  const isLatest = compareSequences(update.sequence, order?.sequence ?? -1) > 0;
  const report: Step = {
    at,
    sequence: update.sequence,
    quantity: inNewestUnits(
      ledger,
      update.symbol,
      decimal(update.filled_quantity),
      Date.parse(update.occurred_at),
    ),
    // The order has the value of its latest report.
    value: decimal(isLatest ? merged.filled_value : filledValue(update, contractSize)),
    fees: decimal(update.fees),
    rate: update.rate,
  };
  const steps = isLatest ? extend(chain, report) : refine(chain, report);
  return toEntries(merged, chain.settled, withTimes(steps), ledger);
};
