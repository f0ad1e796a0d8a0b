import { columnsOf } from '../../candles/bars.ts';
import { timeframeLength } from '../../deployments/engines.ts';
import { cancelOrders, requestCloses } from '../account/decisions.ts';
import { tradeReported } from '../account/trade.ts';
import { START } from '../group.ts';
import { at } from '../memory.ts';
import { type Fills, takeSteps } from './advance.ts';
import { applyReport, type FillReport } from './fill-reports.ts';
import { type Frames, observeBars } from './frames.ts';
import { applyInput, type PaperInput } from './paper-inputs.ts';
import { isRealActive, placeReal, type RealAccount, restsAtBroker, saveRealAccount } from './real-account.ts';
import { type Allowed, type RealRequest, takeRequests } from './real-requests.ts';
import { closeEnded, type RealSignal, takeRealSignal } from './real-signals.ts';
import type { RunningProgram } from './running-program.ts';

/** Inputs of an account with real orders since it was last advanced, in the order of numbers. */
export type RealInput =
  | Extract<PaperInput, { readonly type: 'close' }>
  | (FillReport & { readonly type: 'fill'; readonly number: number })
  | RealSignal;

/** State of the deployment of an account. */
export type RealState =
  /** Entries and exits of the rules are requested. */
  | 'active'
  /** Exits only. */
  | 'paused'
  /** Only what flattens. Decisions on trades are kept, and requested when it goes on. */
  | 'halted'
  /** As halted, for good. */
  | 'ended';

interface RealOptions {
  readonly state: RealState;
  /** True while everything is to be closed, also what fills later. */
  readonly flatten: boolean;
  /** All inputs since the account was last advanced, ascending by number. Those that were applied before are skipped. */
  readonly inputs?: readonly RealInput[];
  /** Start of the oldest bar that is recent enough for orders. */
  readonly freshFrom: number;
  /** True if the broker does not hold the position: no close is requested. */
  readonly isMissing?: boolean;
}

const applyOne = (own: RealAccount, running: RunningProgram, input: RealInput): void => {
  const plan = running.program.trading;
  if (input.type === 'fill') applyReport(own, plan, input);
  else if (input.type === 'signal') takeRealSignal(own, plan, input);
  else applyInput(own.paper, input);
  closeEnded(own);
  own.paper.inputs = input.number;
};

/** Timeframes for which a request may be answered: those for which a bar is fresh, from its start on. */
const VALID_BARS = 3;

/** Cancels entries and requests closes that the state of the deployment demands. */
const applyState = (
  { paper }: RealAccount,
  running: RunningProgram,
  { state, flatten }: RealOptions,
): void => {
  const { account } = paper;
  const plan = running.program.trading;
  account.isPaused = state !== 'active' || flatten;
  if (flatten) {
    cancelOrders(account, plan, 'flatten');
    requestCloses(account, 0, 1, 'flatten');
  } else if (account.isPaused) cancelOrders(account, plan, state === 'ended' ? 'ended' : 'paused');
};

const allowedAt = (
  own: RealAccount,
  { timeframe }: RunningProgram,
  { state, flatten, freshFrom, isMissing = false }: RealOptions,
): Allowed => ({
  isFresh: own.paper.account.at >= freshFrom,
  entries: !own.paper.account.isPaused,
  exits: (state === 'active' || state === 'paused') && !isMissing,
  flatten: flatten && !isMissing,
  // The clock, not the last bar: bars may have been missing for days.
  askedAt: freshFrom + VALID_BARS * timeframeLength(timeframe),
  answersFrom: freshFrom,
});

/** Moves an account with trades over bars whose frames are gone. It decided nothing on them. */
const skipBars = ({ paper }: RealAccount, { first, before }: Frames): void => {
  const { account } = paper;
  const bars = first - paper.index;
  account.closeBefore = before.closeBefore;
  account.atBefore = before.atBefore;
  account.close = before.close;
  account.at = before.at;
  account.bar += bars;
  paper.index += bars;
  paper.at = before.at;
};

/** An account with real orders, and what it asks of its broker. */
export interface RealFills extends Fills {
  readonly requests: RealRequest[];
}

/**
 * Returns an account with real orders as its broker fills them: it applies what happened since, decides at the close of
 * each bar, and asks of the broker what follows. Nothing fills by bars. An old bar raises no order; its decisions on open
 * trades are requested at the next recent one. Reports that cannot be throw AccountFaultError.
 */
export const realFills = (running: RunningProgram, own: RealAccount, options: RealOptions): RealFills => {
  const { paper } = own;
  const { account } = paper;
  const plan = running.program.trading;
  const requests: RealRequest[] = [];
  return {
    paper,
    requests,
    place: (index) => placeReal(own, index),
    isActive: () => isRealActive(own),
    // Inputs and the state of the deployment count before the next bar, too.
    withoutBars: () => ({ ...observeBars(running, columnsOf([])), first: paper.index }),
    applyDue: (note) => {
      let isChanged = false;
      for (const input of options.inputs ?? []) {
        if (input.number <= paper.inputs) continue;
        isChanged = true;
        applyOne(own, running, input);
      }
      applyState(own, running, options);
      const due = takeRequests(own, plan, allowedAt(own, running, options));
      const events = takeSteps(account);
      requests.push(...due);
      if (isChanged || due.length + events.length > 0) note(events);
      return undefined;
    },
    skipTo: (frames) => skipBars(own, frames),
    trade: (bar, observation) => {
      applyState(own, running, options);
      // An entry of an old bar must not be made up for.
      if (at(bar, START) < options.freshFrom) account.isPaused = true;
      tradeReported(plan, account, bar, observation, (open, level) => restsAtBroker(own, open, level));
      return true;
    },
    keep: () => false,
    save: () => saveRealAccount(own),
  };
};
