import type { TradingDeployment } from '../../data/deployments/deployments.ts';
import type { StoredRealInput } from '../../data/engine/real-inputs.ts';
import type { AccountSub } from '../../data/engine/subscriptions.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import {
  hasWorkingOrders,
  openRealAccount,
  restoreRealAccount,
} from '../../domain/engine/running/real-account.ts';
import { type RealState, realFills } from '../../domain/engine/running/real-fills.ts';
import type { RealRequest } from '../../domain/engine/running/real-requests.ts';
import { advanceSub, openSub, type Span } from './advance-account.ts';

/** All that decides what an account does, apart from its bars. Kept while its requests are booked. */
export type RealContext = NonNullable<NonNullable<AccountSub['booking']>['live']>;

/** Account afterwards, and what it asks of the broker. */
export interface RealAdvanced {
  readonly requests: readonly RealRequest[];
  readonly after: AccountSub;
  readonly changed: boolean;
  /** True if an order is at the broker, or may be. */
  readonly isWorking: boolean;
  /** True if a trade is open. */
  readonly isExposed: boolean;
}

/** Returns what a deployment allows its accounts, and whether they close everything. */
export const allowedBy = (deployment: TradingDeployment): Pick<RealContext, 'state' | 'flatten'> => {
  const { status, held, stopping } = deployment;
  const isEnding = isFinalDeploymentStatus(status) || stopping !== undefined;
  const state: RealState = isEnding
    ? 'ended'
    : status === 'active' || status === 'paused'
      ? status
      : 'halted';
  return { state, flatten: held?.flatten === true || stopping?.flatten === true };
};

/**
 * Advances a stored account with real orders. Changes nothing; the same account, bars, inputs and context give the same
 * result.
 */
export const advanceRealAccount = (
  span: Span,
  sub: AccountSub,
  inputs: readonly StoredRealInput[],
  context: RealContext,
): RealAdvanced => {
  const own = openSub(span, sub, openRealAccount, restoreRealAccount);
  if (!own) return { requests: [], after: sub, changed: false, isWorking: false, isExposed: false };
  const { paper } = own;
  const fills = realFills(span.running, own, {
    state: context.state,
    flatten: context.flatten,
    freshFrom: context.fresh_from,
    isMissing: context.is_missing === true,
    inputs: inputs.filter(({ symbol, number }) => symbol === sub.symbol && number <= context.inputs),
  });
  const { after, changed } = advanceSub(span, sub, fills);
  return {
    requests: fills.requests,
    changed,
    isWorking: hasWorkingOrders(own),
    isExposed: paper.account.trades.length > 0,
    after: { ...after, seen_inputs: paper.inputs },
  };
};
