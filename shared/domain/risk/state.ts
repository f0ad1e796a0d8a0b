import * as z from 'zod';
import { tradingDaysOf } from '../candles/trading-days.ts';
import { type Decimal, decimal, decimalText, toText } from '../money.ts';
import { type Day, daySchema } from '../periods.ts';
import { type Amount, isSurelyBelow, rough } from './amount.ts';

const MINUTE_MS = 60_000;

const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS);

const enteringSchema = z.object({ symbol: z.string(), value: decimalText });

/** Counts against the limits of a deployment, as stored on it. */
export const riskStateSchema = z.object({
  /** Calendars of the deployment, which decide its trading days. */
  calendars: z.array(z.string()),
  /** Trading day of `orders_today` and `warned`. */
  day: daySchema,
  orders_today: z.int(),
  /** Minutes since 1970. */
  minute: z.int(),
  orders_minute: z.int(),
  /** Equity at which the day began, of a deployment that the hub runs. Absent: that of the ledger. */
  day_start: decimalText.optional(),
  /** Highest equity at a report, at the end of a day or at the last re-arming. Absent before the first. */
  peak: decimalText.optional(),
  /**
   * Equity at the first check after the last re-arming; the loss of its day and the drawdown count from it. Without the
   * equity before that check.
   */
  baseline: z.object({ at: z.number(), equity: decimalText.optional() }).optional(),
  /** Limits that the owner was warned of today. */
  warned: z.array(z.string()),
  /** Entries of the hub's engine that wait, by order: they count as positions. Absent without any. */
  entering: z.record(z.string(), enteringSchema).optional(),
  /** Limit that stopped the deployment. Absent after re-arming. */
  tripped: z
    .object({ limit: z.string(), at: z.string(), used: decimalText, allowed: decimalText })
    .optional(),
});

export type RiskState = z.output<typeof riskStateSchema>;

/** Returns the trading day of a moment, of the deployment that a state counts for. */
export const riskDayOf = ({ calendars }: Pick<RiskState, 'calendars'>, at: number): Day =>
  tradingDaysOf(calendars).dayOf(at);

/** Returns the state at a moment, before anything counts. @param of ledger or totals of the deployment. */
export const startRisk = (
  { calendars }: { readonly calendars: readonly string[] },
  at: number,
): RiskState => ({
  calendars: [...calendars],
  day: tradingDaysOf(calendars).dayOf(at),
  orders_today: 0,
  minute: minuteOf(at),
  orders_minute: 0,
  warned: [],
});

/** Moves the state on to the day of a moment; the same state if it is no later day. */
export const moveTo = (state: RiskState, at: number): RiskState => {
  const day = riskDayOf(state, at);
  if (day <= state.day) return state;
  const { day_start: _, ...others } = state;
  return { ...others, day, orders_today: 0, warned: [] };
};

/** Begins the day of a moment at an equity; the same state if it is no later day. */
export const startDay = (state: RiskState, at: number, equity: () => Decimal): RiskState =>
  riskDayOf(state, at) > state.day ? { ...moveTo(state, at), day_start: toText(equity()) } : state;

/** Returns the orders that count for the day and the minute of a moment. */
export const ordersAt = (
  state: RiskState,
  at: number,
): { readonly today: number; readonly thisMinute: number } => ({
  today: riskDayOf(state, at) === state.day ? state.orders_today : 0,
  thisMinute: minuteOf(at) === state.minute ? state.orders_minute : 0,
});

/** Counts an order of a moment. One of an earlier day or minute does not count for the current one. */
export const countOrder = (before: RiskState, at: number): RiskState => {
  const state = moveTo(before, at);
  const { today, thisMinute } = ordersAt(state, at);
  const minute = minuteOf(at);
  return {
    ...state,
    ...(riskDayOf(state, at) === state.day && { orders_today: today + 1 }),
    ...(minute >= state.minute && { minute, orders_minute: thisMinute + 1 }),
  };
};

/** Counts an entry that waits as a position. */
export const expectEntry = (
  state: RiskState,
  id: string,
  { symbol, value }: { readonly symbol: string; readonly value: Amount },
): RiskState => ({
  ...state,
  entering: { ...state.entering, [id]: { symbol, value: toText(value.exact()) } },
});

/** Counts the waiting entries of a symbol no longer; the same state if there are none. */
export const settleEntriesOf = (state: RiskState, symbol: string): RiskState =>
  Object.entries(state.entering ?? {}).reduce(
    (left, [id, entry]) => (entry.symbol === symbol ? settleEntry(left, id) : left),
    state,
  );

/** Counts an entry no longer that was filled or ended; the same state if it did not count. */
export const settleEntry = (state: RiskState, id: string): RiskState => {
  const { entering, ...others } = state;
  if (entering === undefined || !Object.hasOwn(entering, id)) return state;
  const { [id]: _, ...left } = entering;
  return Object.keys(left).length > 0 ? { ...state, entering: left } : others;
};

/** Raises the peak to an equity; the same state if it is no higher. */
export const raisePeak = (state: RiskState, equity: Amount): RiskState => {
  const { peak } = state;
  const isLower =
    peak !== undefined && (isSurelyBelow(equity.rough, rough(peak)) || equity.exact().lte(peak));
  return isLower ? state : { ...state, peak: toText(equity.exact()) };
};

/** Returns the peak, which is at least an equity. */
export const peakOf = ({ peak }: RiskState, equity: Decimal): Decimal =>
  peak === undefined || equity.gt(peak) ? equity : decimal(peak);

/**
 * Returns the state after re-arming: losses count from the equity at the next check, which knows the prices. Counts of
 * orders stay.
 */
export const rearm = ({ tripped: _, peak: __, ...state }: RiskState, at: number): RiskState => ({
  ...state,
  baseline: { at },
  warned: [],
});

/** Sets the equity that losses count from, at the first check after re-arming; the same state at others. */
export const withBaseline = (state: RiskState, equity: Amount): RiskState => {
  const { baseline } = state;
  if (baseline === undefined || baseline.equity !== undefined) return state;
  const text = toText(equity.exact());
  return { ...state, baseline: { ...baseline, equity: text }, peak: text };
};
