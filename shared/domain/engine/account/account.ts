import type { Direction } from '../plan.ts';
import type { AccountSettings } from './settings.ts';
import type { SignalEntry, SignalOrder } from './signal-order.ts';
import type { EntryPlace } from './within-bar.ts';

/** Cause of a trade's end. */
export type ExitReason =
  | 'exit'
  | 'reverse'
  | 'stop_loss'
  | 'take_profit'
  | 'trailing_stop'
  | 'square_off'
  | 'end_of_data'
  | 'manual'
  | 'flatten'
  | 'split'
  | 'liquidated'
  | 'ruin'
  | 'unprotected';

/** Cause of an order's end without a fill. */
export type CancelReason =
  | 'expired'
  | 'too_small'
  | 'insufficient_funds'
  | 'square_off'
  | 'opposite_trade'
  | 'protected'
  | 'signal'
  | 'paused'
  | 'halted'
  | 'risk_limit'
  | 'flatten'
  | 'ended'
  | 'late'
  | 'broker'
  | 'direction'
  | 'no_position'
  | 'split'
  | 'unpriced'
  | 'ruin';

/** A trade that is open. Prices without a value are NaN. */
export interface OpenTrade {
  readonly side: Direction;
  /** Quantity in steps of the account. */
  steps: number;
  /** Changes with further fills of its order, as the target does. */
  entryPrice: number;
  /** Lowest and highest price of the bars that it was held through; infinite before the first. */
  low: number;
  high: number;
  readonly entryBar: number;
  readonly entryAt: number;
  /** Fee of the entry, without the part of what is closed. */
  entryFee: number;
  /** Swap so far; negative is a charge. */
  swap: number;
  stop: number;
  target: number;
  isTrailed: boolean;
  /** Place of the entry in the bar of the strategy. */
  readonly place: EntryPlace;
  /** Index of the entry in the rules. */
  readonly entry: number;
  /** Steps to close at the next market fill. */
  closing: number;
  closingReason: ExitReason;
  /** Time at which the hub received the alert that closes it, until the close is requested. */
  alertedAt?: number | undefined;
}

/** An entry order that waits. */
export interface PendingOrder {
  readonly entry: number;
  readonly placedBar: number;
  readonly placedAt: number;
  /** Close of the signal bar, and the price of a limit or stop order. */
  signalClose: number;
  price: number;
  /** Points of the stop's and the target's distance at the signal. */
  stopPoints: number;
  targetPoints: number;
  /** Cause for which the order is to be cancelled at its broker. */
  cancelling?: CancelReason | undefined;
  /** Number of splits that it was restated at; absent without any. Each is a report of the order. */
  splits?: number | undefined;
  /** Signal that placed it; absent for one of the rules. */
  signal?: SignalEntry | undefined;
}

/** A trade, or a part of one, that is closed. */
export interface ClosedTrade {
  readonly side: 'long' | 'short';
  readonly quantity: number;
  readonly entry_bar: number;
  readonly entry_at: number;
  readonly entry_price: number;
  readonly exit_bar: number;
  readonly exit_at: number;
  readonly exit_price: number;
  readonly exit_reason: ExitReason;
  /** Stop and target at the end, as trailing has moved them; NaN without one. */
  readonly stop: number;
  readonly target: number;
  /** Result after fees and swap. */
  readonly pnl: number;
  readonly fees: number;
  readonly swap: number;
  /** Result over the value at entry, in percent. */
  readonly return_pct: number;
  /** Largest moves of the price against it and in its favour, in percent of the entry price. */
  readonly mae_pct: number;
  readonly mfe_pct: number;
}

/** An order that ended without a fill. */
interface CancelledOrder {
  readonly side: 'long' | 'short';
  readonly placed_bar: number;
  readonly placed_at: number;
  readonly bar: number;
  readonly reason: CancelReason;
}

/** Step of an account, in the order of booking. */
export type AccountEvent =
  | { readonly type: 'placed'; readonly order: PendingOrder }
  | { readonly type: 'cancelled'; readonly order: PendingOrder; readonly reason: CancelReason }
  | { readonly type: 'cancelling'; readonly order: PendingOrder; readonly reason: CancelReason }
  | {
      readonly type: 'entered';
      readonly order: PendingOrder;
      readonly trade: OpenTrade;
      readonly steps: number;
      readonly fee: number;
      /** Stop at the entry; NaN without one. */
      readonly stop: number;
    }
  | { readonly type: 'closing'; readonly trade: OpenTrade; readonly reason: ExitReason }
  | {
      readonly type: 'exited';
      readonly trade: OpenTrade;
      readonly steps: number;
      readonly fee: number;
      /** Price that the decision or the order named. */
      readonly expected: number;
      readonly closed: ClosedTrade;
    }
  | { readonly type: 'swap'; readonly amount: number }
  | {
      /** End of an order of a signal. */
      readonly type: 'signalled';
      readonly order: SignalOrder;
      readonly at: number;
      /** Steps that it closed and opened, their average price, and their fees. */
      readonly closed: number;
      readonly opened: number;
      readonly price: number;
      readonly fee: number;
      /** Cause for which it did not fill, or not all of it. */
      readonly reason?: CancelReason;
    };

/** Account of one symbol. Changed in place; allocates on fills and orders only. */
export interface Account {
  readonly settings: AccountSettings;
  cash: number;
  equity: number;
  /** Index of the next bar. */
  bar: number;
  /** Close and start of the last bar, and of the bar before it. */
  close: number;
  at: number;
  closeBefore: number;
  atBefore: number;
  readonly trades: OpenTrade[];
  readonly orders: PendingOrder[];
  /** True if a trade waits to be closed. */
  isClosing: boolean;
  isRuined: boolean;
  /** Bar of the last exit. */
  exitBar: number;
  /** Time of the last fill; that of a smaller bar is after the start of its bar. */
  filledAt: number;
  /** Index and start of the first evaluated bar; -1 and NaN before it. */
  evaluatedFrom: number;
  evaluatedAt: number;
  /** Bars during which a trade was open, and the last bar that is counted. */
  exposedBars: number;
  exposedTo: number;
  /** Bars that left a fill open, which was decided against the trader, and those that smaller bars decided. */
  ambiguousBars: number;
  resolvedBars: number;
  /** Moment of the next rollover; NaN before the first bar. */
  rollover: number;
  /** Counts of bars in a row, for conditions of the account. */
  readonly runs: Float64Array;
  /** Trades and orders that ended, until they are taken out. */
  readonly closed: ClosedTrade[];
  readonly cancelled: CancelledOrder[];
  /** Price at or below which longs are liquidated, and that of shorts; see `liquidation.ts`. Not saved. */
  liquidatedBelow: number;
  liquidatedAbove: number;
  /** True if the bar left a fill open. Not saved. */
  isOpenBar: boolean;
  /** True if the bar reached a level after its open. Not saved. */
  isTouchedBar: boolean;
  /** True if no entry is placed. An input of the account, not saved. */
  isPaused: boolean;
  /** True if nothing is ordered: bars fill and decide nothing. An input of the account, not saved. */
  isHalted: boolean;
  /** True if a broker fills its orders, so that they end by reports only. Not saved. */
  isReported: boolean;
  /** Steps since they were last taken out; undefined if nobody reads them. */
  journal: AccountEvent[] | undefined;
}

/** Opens an account. @param runs number of conditions that count bars in a row. */
export const openAccount = (settings: AccountSettings, runs: number): Account => ({
  settings,
  cash: settings.starting_capital,
  equity: settings.starting_capital,
  bar: 0,
  close: Number.NaN,
  at: Number.NaN,
  closeBefore: Number.NaN,
  atBefore: Number.NaN,
  trades: [],
  orders: [],
  isClosing: false,
  isRuined: false,
  exitBar: Number.NEGATIVE_INFINITY,
  filledAt: Number.NEGATIVE_INFINITY,
  evaluatedFrom: -1,
  evaluatedAt: Number.NaN,
  exposedBars: 0,
  exposedTo: -1,
  ambiguousBars: 0,
  resolvedBars: 0,
  rollover: Number.NaN,
  runs: new Float64Array(runs),
  closed: [],
  cancelled: [],
  liquidatedBelow: Number.POSITIVE_INFINITY,
  liquidatedAbove: Number.POSITIVE_INFINITY,
  isOpenBar: false,
  isTouchedBar: false,
  isPaused: false,
  isHalted: false,
  isReported: false,
  journal: undefined,
});

/** Returns the time of fills at the close of the last bar: its start, or that of a smaller bar which has filled an order. */
export const timeAtClose = ({ at, filledAt }: Account): number => Math.max(at, filledAt);

export const nameOfSide = (side: Direction): 'long' | 'short' => (side === 1 ? 'long' : 'short');

/** Counts the bars up to one, through which a trade was open, as bars in a trade. */
export const expose = (account: Account, bar: number): void => {
  if (bar <= account.exposedTo) return;
  account.exposedBars += bar - account.exposedTo;
  account.exposedTo = bar;
};
