import { timeframeLength } from '../../deployments/engines.ts';
import { cancelOrders, requestCloses } from '../account/decisions.ts';
import { tradeReported } from '../account/trade.ts';
import { START } from '../group.ts';
import { at } from '../memory.ts';
import { advance, type Fills, type Steps, takeSteps } from './advance.ts';
import type { Frames } from './frames.ts';
import { dropEnded, isLiveActive, type LiveAccount } from './live-account.ts';
import { applyReport, type FillReport } from './live-fills.ts';
import type { LiveProgram } from './live-program.ts';
import { type Allowed, type LiveRequest, takeRequests } from './live-requests.ts';
import { applyInput, type PaperInput } from './paper-inputs.ts';

/** Inputs of an account with real orders since it was last advanced, in the order of numbers. */
export type LiveInput =
  | Extract<PaperInput, { readonly type: 'close' }>
  | (FillReport & { readonly type: 'fill'; readonly number: number });

/** Steps of an account with real orders. */
export interface LiveSteps extends Steps {
  readonly requests: LiveRequest[];
}

/** State of the deployment of an account. */
export type LiveState =
  /** Entries and exits of the rules are requested. */
  | 'active'
  /** Exits only. */
  | 'paused'
  /** Only what flattens. Decisions on trades are kept, and requested when it goes on. */
  | 'halted'
  /** As halted, for good. */
  | 'ended';

interface LiveOptions {
  readonly state: LiveState;
  /** True while everything is to be closed, also what fills later. */
  readonly flatten: boolean;
  /** All inputs since the account was last advanced, ascending by number. Those that were applied before are skipped. */
  readonly inputs?: readonly LiveInput[];
  /** Start of the oldest bar that is recent enough for orders. */
  readonly freshFrom: number;
  /** True if the broker does not hold the position: no close is requested. */
  readonly isMissing?: boolean;
  /** Start of the last bar to advance through; all bars of the frames without it. */
  readonly through?: number;
}

const applyOne = (own: LiveAccount, live: LiveProgram, input: LiveInput): void => {
  if (input.type === 'fill') applyReport(own, live.program.trading, input);
  else applyInput(own.paper, input);
  own.paper.inputs = input.number;
};

/** Timeframes for which a request may be answered: those for which a bar is fresh, from its start on. */
const VALID_BARS = 3;

/** Cancels entries and requests closes that the state of the deployment demands. */
const applyState = ({ paper }: LiveAccount, live: LiveProgram, { state, flatten }: LiveOptions): void => {
  const { account } = paper;
  const plan = live.program.trading;
  account.isPaused = state !== 'active' || flatten;
  if (flatten) {
    cancelOrders(account, plan, 'flatten');
    requestCloses(account, 0, 1, 'flatten');
  } else if (account.isPaused) cancelOrders(account, plan, state === 'ended' ? 'ended' : 'paused');
};

const allowedAt = (
  own: LiveAccount,
  { timeframe }: LiveProgram,
  { state, flatten, freshFrom, isMissing = false }: LiveOptions,
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
const skipBars = ({ paper }: LiveAccount, { first, before }: Frames): void => {
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

/**
 * Advances an account with real orders: applies what happened since, then decides at the close of each bar of the
 * frames, and returns what to ask of the broker. Nothing fills by bars. An old bar raises no order; its decisions on open
 * trades are requested at the next recent one.
 *
 * @throws AccountFaultError for reports of the broker that cannot be.
 */
export const advanceLive = (
  live: LiveProgram,
  own: LiveAccount,
  frames: Frames,
  options: LiveOptions,
): LiveSteps => {
  const { paper } = own;
  const { account } = paper;
  const plan = live.program.trading;
  const requests: LiveRequest[] = [];
  const fills: Fills = {
    paper,
    isActive: () => isLiveActive(own),
    applyDue: (note) => {
      let isChanged = false;
      for (const input of options.inputs ?? []) {
        if (input.number <= paper.inputs) continue;
        isChanged = true;
        applyOne(own, live, input);
      }
      applyState(own, live, options);
      const due = takeRequests(own, plan, allowedAt(own, live, options));
      const events = takeSteps(account);
      requests.push(...due);
      if (isChanged || due.length + events.length > 0) note(events);
      return undefined;
    },
    skipTo: (later) => skipBars(own, later),
    trade: (bar, observation) => {
      applyState(own, live, options);
      // An entry of an old bar must not be made up for.
      if (at(bar, START) < options.freshFrom) account.isPaused = true;
      tradeReported(plan, account, bar, observation);
      return true;
    },
    keep: () => false,
  };
  const steps = advance(live, fills, frames, options.through);
  dropEnded(own);
  return { ...steps, requests };
};
