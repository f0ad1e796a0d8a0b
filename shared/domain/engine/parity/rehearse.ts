import { type BarColumns, barCount, firstBarFrom, sliceBars } from '../../candles/bars.ts';
import { advanceBacktest, supplySmaller } from '../backtest/advance.ts';
import { type BacktestRun, startBacktest } from '../backtest/run.ts';
import { type BacktestSetup, type BacktestSetupLeg, inputOf } from '../backtest/setup.ts';
import { START } from '../group.ts';
import { at } from '../memory.ts';
import type { ResolvedRules } from '../rules/params.ts';
import { applyDue, nextDue, type PaperCommand } from '../running/holds.ts';
import type { AccountReport, SignalReport } from '../running/order-report.ts';
import { newPaper, type PaperAccount } from '../running/paper-account.ts';
import type { NumberedInput, PaperInput } from '../running/paper-inputs.ts';
import { applyRefusals, type PaperRefusal } from '../running/refusals.ts';
import { reportsOf } from '../running/reports.ts';

/** A symbol of a deployment to backtest. */
export interface Rehearsal {
  readonly setup: BacktestSetup;
  readonly rules: ResolvedRules;
  readonly leg: BacktestSetupLeg;
  /** Start of the bar after which the account began. */
  readonly joinedAt: number;
  /** Bars of the program, from its first one on. */
  readonly bars: BarColumns;
  /** Smaller bars that decided about fills of the account, by the start of the bar. */
  readonly used: ReadonlyMap<number, BarColumns>;
  /** Decisions of the owner, ascending by number. */
  readonly inputs: readonly PaperInput[];
  /** Commands to the deployment, ascending by number. */
  readonly holds: readonly PaperCommand[];
  /** Entries that risk limits refused, in the order of their bars. */
  readonly refusals: readonly (PaperRefusal & { readonly after: number })[];
}

/** A backtest of one symbol that stops at bars, and applies the owner's decisions. Changed in place. */
export interface RehearsalRun {
  readonly rehearsal: Rehearsal;
  readonly run: BacktestRun;
  /** The account of the backtest. */
  readonly paper: PaperAccount;
  /** Last report on each order, by its id. */
  readonly orders: Map<string, SignalReport>;
  /** All reports, in the order of booking. */
  readonly booked: AccountReport[];
  /** Position of the next bar. */
  position: number;
}

/** Begins the backtest of a symbol. */
export const startRehearsal = (rehearsal: Rehearsal): RehearsalRun => {
  const { setup, rules, leg, joinedAt } = rehearsal;
  const run = startBacktest(
    inputOf({ ...setup, from: joinedAt + 1, legs: [{ ...leg, smaller: [] }] }, rules, { most_trades: 0 }),
  );
  const [own] = run.legs;
  if (!own) throw new RangeError('the deployment has no such symbol');
  own.account.journal = [];
  const paper = newPaper(own.account, leg.symbol, { at: joinedAt, index: 0 });
  return { rehearsal, run, paper, orders: new Map(), booked: [], position: 0 };
};

const keepReports = ({ orders, booked }: RehearsalRun, reports: readonly AccountReport[]): void => {
  booked.push(...reports);
  for (const report of reports) if (report.kind === 'order') orders.set(report.client_order_id, report);
};

/** Takes the steps of the account out of it, and keeps what they report. */
const takeReports = (state: RehearsalRun, manualId?: string): void => {
  const { run, paper } = state;
  const { account } = paper;
  const [leg] = run.legs;
  const events = account.journal ?? [];
  account.journal = [];
  if (!leg) return;
  keepReports(state, reportsOf(paper, leg.program.trading, events, account.at, manualId));
};

const advanceTo = (state: RehearsalRun, end: number): void => {
  const { rehearsal, run, position } = state;
  if (end <= position) return;
  const bars = sliceBars(rehearsal.bars, position, end);
  for (;;) {
    const asked = advanceBacktest(run, [bars]);
    if (!asked) break;
    supplySmaller(run, asked, rehearsal.used.get(at(asked.bar, START)));
  }
  state.position = end;
  takeReports(state);
};

/** Cancels the waiting entries that were refused. */
const refuse = (state: RehearsalRun, refusals: Rehearsal['refusals']): void => {
  const { run, paper } = state;
  const [leg] = run.legs;
  if (!leg) return;
  keepReports(state, applyRefusals(paper, leg.program.trading, refusals));
};

/** Returns the position of the first bar that an input affects. */
const positionAfter = (
  { rehearsal: { bars } }: RehearsalRun,
  { after }: Pick<NumberedInput, 'after'>,
): number => {
  const position = firstBarFrom(bars, after);
  return bars.start[position] === after ? position + 1 : position;
};

/** Numbers of the last input and of the last command to apply. */
export interface LastInputs {
  readonly inputs: number;
  readonly holds: number;
  /** Orders whose refusals the account has not applied yet. */
  readonly refusals: readonly string[];
}

const ALL: LastInputs = { inputs: Number.POSITIVE_INFINITY, holds: Number.POSITIVE_INFINITY, refusals: [] };

/**
 * Advances a backtest through the bars that start at a moment or before, with the inputs and commands that take effect
 * by then.
 *
 * @param last the last ones to apply; all of them if absent.
 */
export const rehearseTo = (state: RehearsalRun, to: number, last: LastInputs = ALL): void => {
  const { rehearsal, run, paper } = state;
  const [leg] = run.legs;
  const end = Math.min(firstBarFrom(rehearsal.bars, to + 1), barCount(rehearsal.bars));
  const inputs = rehearsal.inputs.filter(({ number }) => number <= last.inputs);
  const holds = rehearsal.holds.filter(({ number }) => number <= last.holds);
  const refusals = rehearsal.refusals.filter(({ order }) => !last.refusals.includes(order));
  for (;;) {
    refuse(state, refusals);
    const refused = refusals
      .map((refusal) => positionAfter(state, refusal))
      .find((position) => position > state.position);
    const due = nextDue(paper, inputs, holds);
    const position = due ? positionAfter(state, due) : end + 1;
    const stop = Math.min(position, refused ?? end + 1);
    if (!leg || stop > end) break;
    advanceTo(state, stop);
    if (!due || stop === refused) continue;
    const manualId = applyDue(paper, leg.program.trading, due);
    paper.account.closed.length = 0;
    paper.account.cancelled.length = 0;
    takeReports(state, manualId);
  }
  advanceTo(state, end);
};
