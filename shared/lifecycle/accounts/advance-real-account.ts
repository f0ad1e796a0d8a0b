import type { TradingDeployment } from '../../data/deployments/deployments.ts';
import type { StoredLiveInput } from '../../data/engine/live-inputs.ts';
import { type AccountSub, latestDecisions } from '../../data/engine/subscriptions.ts';
import { barCount, columnsOf, firstBarFrom } from '../../domain/candles/bars.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { advanceLive, type LiveState } from '../../domain/engine/live/advance-live.ts';
import { type Frames, indexAfter, observeBars } from '../../domain/engine/live/frames.ts';
import {
  hasWorkingOrders,
  isLiveActive,
  type LiveAccount,
  openLiveAccount,
  placeLive,
  restoreLiveAccount,
  saveLiveAccount,
} from '../../domain/engine/live/live-account.ts';
import type { LiveRequest } from '../../domain/engine/live/live-requests.ts';
import type { Span } from './advance-account.ts';

/** All that decides what an account does, apart from its bars. Kept while its requests are booked. */
export type LiveContext = NonNullable<NonNullable<AccountSub['booking']>['live']>;

/** Account afterwards, and what it asks of the broker. */
export interface LiveAdvanced {
  readonly requests: readonly LiveRequest[];
  readonly after: AccountSub;
  readonly changed: boolean;
  /** True if an order is at the broker, or may be. */
  readonly isWorking: boolean;
  /** True if a trade is open. */
  readonly isExposed: boolean;
}

/** Returns what a deployment allows its accounts, and whether they close everything. */
export const allowedBy = (deployment: TradingDeployment): Pick<LiveContext, 'state' | 'flatten'> => {
  const { status, held, stopping } = deployment;
  const isEnding = isFinalDeploymentStatus(status) || stopping !== undefined;
  const state: LiveState = isEnding
    ? 'ended'
    : status === 'active' || status === 'paused'
      ? status
      : 'halted';
  return { state, flatten: held?.flatten === true || stopping?.flatten === true };
};

const openLate = (
  { live, frames }: Span,
  { symbol, joined_at, paper }: AccountSub,
): LiveAccount | undefined => {
  for (const { first, bars } of frames) {
    const position = firstBarFrom(bars, joined_at + 1);
    if (position === barCount(bars)) continue;
    const cursor = { at: bars.start[position - 1] ?? joined_at, index: first + position };
    return openLiveAccount(paper.settings, live.program.trading, symbol, cursor);
  }
  return undefined;
};

/** Returns frames without bars, at which an account applies what happened. */
const noBars = ({ live }: Span, { paper }: LiveAccount): Frames => ({
  ...observeBars(live, columnsOf([])),
  first: paper.index,
});

/**
 * Advances a stored account with real orders. Changes nothing; the same account, bars, inputs and context give the same
 * result.
 */
export const advanceLiveAccount = (
  span: Span,
  sub: AccountSub,
  inputs: readonly StoredLiveInput[],
  context: LiveContext,
): LiveAdvanced => {
  const { live, frames, end } = span;
  const { settings, saved } = sub.paper;
  const own = saved === '' ? openLate(span, sub) : restoreLiveAccount(settings, saved);
  const nothing = { requests: [], after: sub, changed: false, isWorking: false, isExposed: false };
  if (!own) return nothing;
  placeLive(own, indexAfter(live, frames, own.paper.at) ?? own.paper.index);
  const options = {
    state: context.state,
    flatten: context.flatten,
    freshFrom: context.fresh_from,
    isMissing: context.is_missing === true,
    inputs: inputs.filter(({ symbol, number }) => symbol === sub.symbol && number <= context.inputs),
    through: end,
  };
  const due = frames.filter(
    ({ first, bars }) => first + barCount(bars) > own.paper.index && (bars.start[0] ?? end) <= end,
  );
  const requests: LiveRequest[] = [];
  const decisions: AccountSub['decisions'] = [];
  let changed = saved === '' && isLiveActive(own);
  // Without bars, only inputs and the state of the deployment count.
  for (const each of due.length > 0 ? due : [noBars(span, own)]) {
    const steps = advanceLive(live, own, each, options);
    requests.push(...steps.requests);
    decisions.push(...steps.decisions);
    changed ||= steps.changed;
  }
  const kind = isLiveActive(own) ? 'A' : 'F';
  const { booking: _, ...others } = sub;
  return {
    requests,
    changed: changed || kind !== sub.kind,
    isWorking: hasWorkingOrders(own),
    isExposed: own.paper.account.trades.length > 0,
    after: {
      ...others,
      kind,
      at: Math.max(sub.at, end),
      seen_inputs: own.paper.inputs,
      paper: { settings, saved: saveLiveAccount(own) },
      decisions: latestDecisions(sub.decisions, decisions),
    },
  };
};
