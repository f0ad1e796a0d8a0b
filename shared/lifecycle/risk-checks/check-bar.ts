import type { TradingDeployment } from '../../data/deployments/deployments.ts';
import { INTRADAY_MS } from '../../domain/candles/timeframes.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import type { PlacedEntry } from '../../domain/engine/running/entry-orders.ts';
import type { Ledger } from '../../domain/ledger/ledger-state.ts';
import { decimal, scaled } from '../../domain/money.ts';
import { type Amount, abs, amountOf, rough, times } from '../../domain/risk/amount.ts';
import { judge } from '../../domain/risk/check-book.ts';
import { checkEntry, type Exceeded } from '../../domain/risk/check-entry.ts';
import { type Marks, positionValues } from '../../domain/risk/equity.ts';
import { exceededText } from '../../domain/risk/limit-texts.ts';
import { countOrder, expectEntry, startRisk } from '../../domain/risk/state.ts';
import type { Effect } from '../effect.ts';
import { warningText } from '../risk-texts.ts';
import { usagesOf } from './judge-losses.ts';
import { heldIn, isAgainst, leftBy } from './judge-order.ts';
import { breachOf, stopOf, stoppedBy } from './stop-at-limit.ts';

/** Bar of an account of the hub's engine, with what it did. */
export interface BarCheck {
  readonly symbol: string;
  /** Start of the bar. */
  readonly at: number;
  /** Close of the bar, and newer prices of other symbols than the ledger has. */
  readonly marks: Marks;
  /** Entries that were placed at the close. */
  readonly placed: readonly PlacedEntry[];
}

/** Result of checking a bar. */
export interface BarChecked {
  readonly effect: Effect;
  /** Entries that must not fill. */
  readonly refused: readonly { readonly order: string; readonly reason: string }[];
  /** Command to the accounts, if a limit is reached. */
  readonly hold: { readonly type: 'pause' | 'halt'; readonly flatten: boolean } | undefined;
}

const valueOfPlaced = (
  deployment: TradingDeployment,
  ledger: Ledger,
  symbol: string,
  { quantity, price }: Pick<PlacedEntry, 'quantity' | 'price'>,
): Amount => {
  const size = ledger.contract_sizes[symbol] ?? deployment.contract_sizes[symbol] ?? '1';
  return amountOf(abs(times(times(rough(quantity), rough(price)), rough(size))), () =>
    scaled(decimal(quantity).times(price).times(size)).abs(),
  );
};

/** Order of a signal that the hub is about to place. */
interface SignalledOrder extends Pick<PlacedEntry, 'quantity' | 'price'> {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
}

/** Returns the limit that an order would exceed; undefined if it may be placed, or only reduces a position. */
export const exceededByOrder = (
  deployment: TradingDeployment,
  ledger: Ledger,
  { symbol, side, quantity, price }: SignalledOrder,
  at: number,
): Exceeded | undefined => {
  const { limits, risk = startRisk(ledger, at) } = deployment;
  if (!limits) return undefined;
  const held = heldIn(ledger, symbol);
  const after = held.plus(side === 'buy' ? quantity : decimal(quantity).neg());
  if (after.abs().lte(held.abs()) && !after.times(held).lt(0)) return undefined;
  const value = valueOfPlaced(deployment, ledger, symbol, { quantity, price });
  const left = leftBy({ symbol, side, quantity }, ledger);
  const leaves =
    left === undefined ? undefined : valueOfPlaced(deployment, ledger, symbol, { quantity: left, price });
  return checkEntry(limits.merged, risk, positionValues(ledger), { symbol, at, value, leaves });
};

/** Counts an order that waits against the limits of its deployment, as a position if its value is known. */
export const withExpected = (
  deployment: TradingDeployment,
  ledger: Ledger,
  { client_order_id, symbol, quantity, price }: Pick<PlacedEntry, 'client_order_id'> & SignalledOrder,
  at: number,
): TradingDeployment => {
  if (!deployment.limits) return deployment;
  const value = valueOfPlaced(deployment, ledger, symbol, { quantity, price });
  const counted = countOrder(deployment.risk ?? startRisk(ledger, at), at);
  return { ...deployment, risk: expectEntry(counted, client_order_id, { symbol, value }) };
};

/**
 * Checks a bar of an account of the hub's engine against the risk limits of its deployment: the entries placed at its
 * close, which are refused if they exceed a limit, and the losses at its close.
 */
export const checkBar = (effect: Effect, ledger: Ledger, bar: BarCheck, now: Date): BarChecked => {
  const nothing: BarChecked = { effect, refused: [], hold: undefined };
  const { deployment } = effect;
  if (deployment.kind !== 'live' || !deployment.limits) return nothing;
  if (isFinalDeploymentStatus(deployment.status)) return nothing;
  const { merged: limits } = deployment.limits;
  const { at, symbol, marks, placed } = bar;
  const hasTime = INTRADAY_MS[deployment.timeframe] !== undefined;
  const positions = placed.length > 0 ? positionValues(ledger, marks) : new Map<string, Amount>();
  let state = deployment.risk ?? startRisk(ledger, at);
  const refused: BarChecked['refused'][number][] = [];
  for (const entry of placed) {
    const order = entry.client_order_id;
    const value = valueOfPlaced(deployment, ledger, symbol, entry);
    const exceeded = checkEntry(limits, state, positions, {
      symbol,
      at: entry.at,
      value,
      hasTime,
      // Another order closes the position held.
      ...(isAgainst({ symbol, side: entry.side }, ledger) && { leaves: value }),
    });
    if (exceeded) refused.push({ order, reason: exceededText(exceeded, deployment.currency) });
    else state = expectEntry(countOrder(state, entry.at), order, { symbol, value });
  }
  const { state: counted, usages } = usagesOf(limits, state, ledger, at, marks);
  const judged = judge(counted, usages);
  const under = judged.state === deployment.risk ? deployment : { ...deployment, risk: judged.state };
  const breach = breachOf(undefined, judged.tripped, deployment.currency);
  if (breach) {
    const command = stopOf(under, limits);
    const stopped = stoppedBy(effect, under, breach, command, { at, now });
    const isCommanded = stopped.deployment.status !== deployment.status;
    return {
      effect: stopped,
      refused,
      hold: isCommanded ? { type: command.action, flatten: command.flatten } : undefined,
    };
  }
  if (under === deployment && judged.warnings.length === 0) return { ...nothing, refused };
  const warnings = judged.warnings.map((usage) => warningText(deployment, usage));
  return {
    effect: { ...effect, deployment: under, notifications: [...effect.notifications, ...warnings] },
    refused,
    hold: undefined,
  };
};
