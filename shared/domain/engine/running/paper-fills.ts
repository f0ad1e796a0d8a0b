import { type BarColumns, columnsOf } from '../../candles/bars.ts';
import { cancelOrders } from '../account/decisions.ts';
import { needsSmaller, trade } from '../account/trade.ts';
import { START } from '../group.ts';
import { at } from '../memory.ts';
import { type Fills, takeSteps } from './advance.ts';
import { type PlacedEntry, placedEntries } from './entry-orders.ts';
import { observeBars } from './frames.ts';
import { applyDue, nextDue, type PaperCommand } from './holds.ts';
import type { AccountReport } from './order-report.ts';
import { isActive, type PaperAccount, savePaperAccount } from './paper-account.ts';
import type { PaperInput } from './paper-inputs.ts';
import { cancelSignals, fillSignals } from './paper-signals.ts';
import { applyRefusals, type PaperRefusal, waitingRefusals } from './refusals.ts';
import { reportsOf } from './reports.ts';
import type { RunningProgram } from './running-program.ts';

/** An account on paper, whose orders fill by the bars, and what it did. */
export interface PaperFills extends Fills {
  /** Reports in the order of booking. */
  readonly reports: AccountReport[];
  /** Entries that were placed, if the account is watched. */
  readonly placed: PlacedEntry[];
  /** Bar before which the account stopped: it is not known whether there are smaller bars of it. */
  asked?: Float64Array;
  /** Smaller bars that decided about the fills of the last bar. The account stops after it. */
  used?: UsedBars;
}

/** Smaller bars that decided about the fills of a bar. */
export interface UsedBars {
  /** Start of the bar. */
  readonly start: number;
  readonly bars: BarColumns;
}

/** Returns the smaller bars that make up a bar, by its start; null if no stored ones do, undefined if that is not known. */
export type SmallerOf = (start: number) => BarColumns | null | undefined;

interface PaperOptions {
  /** False while the deployment is paused: no entry is placed or filled; exits, stops and targets work. */
  readonly entries?: boolean;
  /** Inputs of the owner, ascending by number. Those that were applied before are skipped. */
  readonly inputs?: readonly PaperInput[];
  /** Commands to the deployment, ascending by number. Those that were applied before are skipped. */
  readonly holds?: readonly PaperCommand[];
  /** Entries that are refused. Those that do not wait any more have no effect. */
  readonly refusals?: readonly PaperRefusal[];
  /** By default there are no smaller bars. */
  readonly smallerOf?: SmallerOf | undefined;
  /**
   * Watches the account: it stops after each bar with a step, and after a bar with an open trade at whose close this
   * returns true.
   */
  readonly watch?: ((at: number, close: number) => boolean) | undefined;
}

/** Returns an account on paper as bars fill its orders. */
export const paperFills = (
  running: RunningProgram,
  paper: PaperAccount,
  {
    entries = true,
    inputs = [],
    holds = [],
    refusals = [],
    smallerOf = () => null,
    watch,
  }: PaperOptions = {},
): PaperFills => {
  const { account } = paper;
  const plan = running.program.trading;
  const fills: PaperFills = {
    paper,
    reports: [],
    placed: [],
    place: (index) => {
      paper.index = index;
    },
    isActive: () => isActive(paper),
    withoutBars: () =>
      nextDue(paper, inputs, holds) || waitingRefusals(paper, refusals).length > 0
        ? observeBars(running, columnsOf([]))
        : undefined,
    applyDue: (note) => {
      for (;;) {
        const refused = applyRefusals(paper, plan, refusals);
        if (refused.length > 0) note([]);
        fills.reports.push(...refused);
        const due = nextDue(paper, inputs, holds);
        if (!due || !(paper.at >= due.after)) return due?.after;
        const manualId = applyDue(paper, plan, due);
        const events = takeSteps(account);
        fills.reports.push(...reportsOf(paper, plan, events, paper.at, manualId));
        note(events);
      }
    },
    skipTo: () => {
      throw new RangeError('the account needs bars before these frames');
    },
    trade: (bar, observation) => {
      const start = at(bar, START);
      account.isPaused = paper.isPaused || !entries;
      account.isHalted = paper.isHalted;
      if (account.isPaused && account.orders.length > 0) cancelOrders(account, plan, 'paused');
      if (paper.signals.length > 0) fillSignals(paper, plan, bar);
      const smaller = needsSmaller(plan, account, bar) ? smallerOf(start) : null;
      if (smaller === undefined) {
        fills.asked = bar;
        return false;
      }
      if (smaller) fills.used = { start, bars: smaller };
      trade(plan, account, bar, observation, smaller ?? undefined);
      if (account.isRuined && paper.signals.length > 0) cancelSignals(paper, 'ruin');
      return true;
    },
    keep: (events) => {
      if (watch) fills.placed.push(...placedEntries(paper, plan, events));
      if (events.length > 0) fills.reports.push(...reportsOf(paper, plan, events, paper.at));
      if (fills.used) return true;
      if (!watch) return false;
      return events.length > 0 || (account.trades.length > 0 && watch(paper.at, account.close));
    },
    save: () => savePaperAccount(paper),
  };
  return fills;
};
