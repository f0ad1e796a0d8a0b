import type { StoredOrder } from '../data/books/orders.ts';
import { type Deployment, isHubRun, type TradingDeployment } from '../data/deployments/deployments.ts';
import { INTRADAY_MS } from '../domain/candles/timeframes.ts';
import { canMove, isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { PlacedEntry } from '../domain/engine/live/reports.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { lastRate } from '../domain/ledger/marks.ts';
import { converted, type Decimal, decimal, scaled } from '../domain/money.ts';
import { dayOf } from '../domain/periods.ts';
import { judge, nearLosses, nearOrders, trip, type Usage } from '../domain/risk/check-book.ts';
import { checkEntry, type Exceeded, exceededText } from '../domain/risk/check-entry.ts';
import { dayStart, equityOf, type Marks, positionValues } from '../domain/risk/equity.ts';
import { limitsLoss, type MergedLimits } from '../domain/risk/limits.ts';
import {
  countOrder,
  expectEntry,
  moveTo,
  type RiskState,
  raisePeak,
  settleEntry,
  startDay,
  startRisk,
  withBaseline,
} from '../domain/risk/state.ts';
import type { Effect } from './deployment-change.ts';
import { decideCommand } from './deployment-commands.ts';
import { reachedText, trippedText, warningText } from './risk-texts.ts';

/** Books before a report, and its time. */
export interface Reported {
  readonly ledger: Ledger;
  /** The order before; undefined for a new one. */
  readonly order: StoredOrder | undefined;
  readonly at: number;
  /** Newer prices than the ledger has. */
  readonly marks?: Marks;
}

const heldIn = ({ head }: Ledger, symbol: string): Decimal =>
  decimal(head.symbols[symbol]?.position?.quantity ?? '0');

/** Returns whether an order opens or adds to a position, or turns it around. @param symbol of the order */
export const isEntry = (
  { side, quantity, filled_quantity }: StoredOrder,
  { ledger, order }: Reported,
  symbol: string,
) => {
  const held = heldIn(ledger, symbol);
  if (held.eq(0) || held.gt(0) === (side === 'buy')) return true;
  const left = decimal(quantity).minus(order?.filled_quantity ?? '0');
  return (left.gt(filled_quantity) ? left : decimal(filled_quantity)).gt(held.abs());
};

/** Returns the value of an order at its own price, in the currency of the deployment; undefined without a price. */
const orderValue = (order: StoredOrder, ledger: Ledger): Decimal | undefined => {
  const { symbol, quantity, price, trigger_price, expected_price, average_price } = order;
  const at = average_price ?? price ?? trigger_price ?? expected_price ?? ledger.quotes[symbol]?.at(-1)?.[1];
  if (at === undefined) return undefined;
  const size = ledger.contract_sizes[symbol] ?? order.contract_size ?? '1';
  const value = scaled(decimal(quantity).times(at).times(size)).abs();
  return converted(value, lastRate(ledger, symbol));
};

/** Returns whether an order had no price of its own, so that only its first fill tells its value. */
const isUnpriced = ({ average_price, price, trigger_price, expected_price }: StoredOrder): boolean =>
  (average_price ?? price ?? trigger_price ?? expected_price) === null;

/** Returns the limit that the fills of an order have exceeded. @param known the order before */
const exceededByFills = (
  limits: MergedLimits,
  { order, known }: { readonly order: StoredOrder; readonly known: StoredOrder | undefined },
  before: Ledger,
  after: Ledger,
): Exceeded | undefined => {
  const { symbol } = order;
  const own = known && isUnpriced(known) ? orderValue(order, after) : undefined;
  if (limits.order_value !== undefined && own?.gt(limits.order_value)) {
    return { limit: 'order_value', used: own.toFixed(), allowed: limits.order_value };
  }
  if (!heldIn(after, symbol).abs().gt(heldIn(before, symbol).abs())) return undefined;
  const positions = positionValues(after);
  const value = positions.get(symbol);
  const { open_positions: most, position_value: largest } = limits;
  if (most !== undefined && positions.size > most) {
    return { limit: 'open_positions', used: String(positions.size), allowed: String(most) };
  }
  return largest !== undefined && value?.gt(largest)
    ? { limit: 'position_value', used: value.toFixed(), allowed: largest }
    : undefined;
};

/** Counts a reported order, and judges it if it opens or adds to a position. */
const judgeOrder = (
  limits: MergedLimits,
  before: RiskState,
  order: StoredOrder,
  after: Ledger,
  reported: Reported,
): { readonly state: RiskState; readonly exceeded: Exceeded | undefined } => {
  const { ledger, order: known, at } = reported;
  const { symbol } = order;
  const isNew = known === undefined;
  const state = isNew ? countOrder(before, at) : before;
  if (!isEntry(order, reported, symbol)) return { state, exceeded: undefined };
  const value = orderValue(order, after);
  const entry = { symbol, at, value };
  const own = isNew ? checkEntry(limits, before, positionValues(ledger), entry) : undefined;
  return { state, exceeded: own ?? exceededByFills(limits, { order, known }, ledger, after) };
};

/** Computes the state, and the use of the limits that are nearly reached, after a change of the books. */
const usagesOf = (
  limits: MergedLimits,
  before: RiskState,
  ledger: Ledger,
  at: number,
  marks?: Marks,
): { readonly state: RiskState; readonly usages: Usage[] } => {
  const moved = moveTo(before, at);
  const orders = nearOrders(limits, moved, at);
  if (!limitsLoss(limits)) return { state: moved, usages: orders };
  const value = { at, equity: equityOf(ledger, marks), day_start: dayStart(ledger, at) };
  const based = withBaseline(moved, value.equity);
  const usages = [...nearLosses(limits, based, value), ...orders];
  return {
    state: limits.drawdown_pct === undefined ? based : raisePeak(based, value.equity),
    usages,
  };
};

/** Limit that stops a deployment, in words. */
interface Breach extends Pick<Usage, 'used' | 'allowed'> {
  readonly limit: string;
  readonly reason: string;
}

const breachOf = (
  exceeded: Exceeded | undefined,
  tripped: Usage | undefined,
  currency: string,
): Breach | undefined => {
  if (exceeded) {
    const { limit, used = '0', allowed = '0' } = exceeded;
    return { limit, used, allowed, reason: exceededText(exceeded) };
  }
  return tripped && { ...tripped, reason: reachedText(tripped, currency) };
};

/**
 * Returns the command by which a limit stops a deployment. The hub manages stops and exits of its own deployments: a pause
 * lets them go on, a halt would not. An engine outside is halted.
 */
const stopOf = (
  deployment: TradingDeployment,
  { action }: MergedLimits,
): { readonly action: 'pause' | 'halt'; readonly flatten: boolean } => {
  const flatten = action === 'flatten';
  const { status } = deployment;
  const mayPause = isHubRun(deployment) && (status === 'paused' || canMove(status, 'paused'));
  return { action: mayPause && !flatten ? 'pause' : 'halt', flatten };
};

/**
 * Adds to an effect that a limit stops the deployment: the command, the notification and the entry of the audit trail. A
 * deployment that is stopped already only remembers the limit.
 */
const stoppedBy = (
  effect: Effect,
  deployment: TradingDeployment,
  breach: Breach,
  command: ReturnType<typeof stopOf>,
  { at, now }: { readonly at: number; readonly now: Date },
): Effect => {
  const { reason, limit, used, allowed } = breach;
  const marked = {
    ...deployment,
    risk: trip(deployment.risk ?? startRisk(at), { limit, used, allowed }, at),
  };
  const commanded = decideCommand(marked, { ...command, by: 'risk_limit', reason }, { now, items: [] });
  const stopping = commanded.outcome === 'done' ? commanded.effect : undefined;
  const { status } = stopping?.deployment ?? marked;
  const { flatten } = command;
  return {
    ...effect,
    deployment: stopping?.deployment ?? marked,
    messages: [...(effect.messages ?? []), ...(stopping?.messages ?? [])],
    notifications: [...effect.notifications, trippedText(deployment, breach, { status, flatten })],
    audit: {
      action: 'risk_limit_tripped',
      by: 'risk_limit',
      reason,
      details: { limit, used, allowed, status },
    },
  };
};

/**
 * Checks a report of an engine or a broker, or the close of a bar of a deployment with real orders, against the risk
 * limits. A limit that is exceeded stops the deployment in the same transaction, and tells the engine. Costs nothing
 * without limits.
 */
export const checkReport = (effect: Effect, reported: Reported, now: Date): Effect => {
  const { deployment, ledger, order } = effect;
  if (deployment.kind !== 'live' || !deployment.limits || !ledger) return effect;
  if (isFinalDeploymentStatus(deployment.status)) return effect;
  const { merged: limits } = deployment.limits;
  const { at, marks } = reported;
  const first = deployment.risk ?? startRisk(at);
  const judged = order
    ? judgeOrder(limits, first, order, ledger, reported)
    : { state: first, exceeded: undefined };
  const { state: counted, usages } = usagesOf(limits, judged.state, ledger, at, marks);
  const { state, warnings, tripped } = judge(counted, usages);
  const breach = first.tripped ? undefined : breachOf(judged.exceeded, tripped, deployment.currency);
  const under = state === deployment.risk ? deployment : { ...deployment, risk: state };
  if (breach) {
    return stoppedBy(effect, under, breach, stopOf(under, limits), { at, now });
  }
  if (under === deployment && warnings.length === 0) return effect;
  return {
    ...effect,
    deployment: under,
    notifications: [...effect.notifications, ...warnings.map((usage) => warningText(deployment, usage))],
  };
};

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

/**
 * Begins the day of a bar for a deployment that the hub runs: at the equity before the bar, which the ledger knows only
 * once the day before is closed.
 *
 * @param ledger before the bar.
 * @param marks prices before the bar.
 */
export const withDay = <D extends Deployment>(deployment: D, ledger: Ledger, at: number, marks: Marks): D => {
  if (deployment.kind !== 'live' || !deployment.limits || !deployment.risk) return deployment;
  const risk = startDay(deployment.risk, at, () => equityOf(ledger, marks));
  return risk === deployment.risk ? deployment : { ...deployment, risk };
};

/** Report of an account of the hub's engine. */
interface AccountOrder {
  readonly client_order_id: string;
  readonly at: number;
  readonly isEntry: boolean;
  readonly isNew: boolean;
  readonly isFinal: boolean;
}

/** Counts a report of an account of the hub's engine. An entry counts when it is placed. */
export const countReport = (deployment: TradingDeployment, order: AccountOrder): TradingDeployment => {
  if (!deployment.limits) return deployment;
  const before = deployment.risk ?? startRisk(order.at);
  if (order.isEntry) {
    const state = order.isFinal ? settleEntry(before, order.client_order_id) : before;
    return state === deployment.risk ? deployment : { ...deployment, risk: state };
  }
  return order.isNew ? { ...deployment, risk: countOrder(before, order.at) } : deployment;
};

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
): Decimal => {
  const size = ledger.contract_sizes[symbol] ?? deployment.contract_sizes[symbol] ?? '1';
  return scaled(decimal(quantity).times(price).times(size)).abs();
};

/** Order on paper that the hub is about to fill. */
interface OrderToFill extends Pick<PlacedEntry, 'quantity' | 'price'> {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
}

/** Returns the limit that an order would exceed; undefined if it may be filled, or only reduces a position. */
export const exceededByOrder = (
  deployment: TradingDeployment,
  ledger: Ledger,
  { symbol, side, quantity, price }: OrderToFill,
  at: number,
): Exceeded | undefined => {
  const { limits, risk = startRisk(at) } = deployment;
  if (!limits) return undefined;
  const held = heldIn(ledger, symbol);
  const after = held.plus(side === 'buy' ? quantity : decimal(quantity).neg());
  if (after.abs().lte(held.abs()) && !after.times(held).lt(0)) return undefined;
  const value = valueOfPlaced(deployment, ledger, symbol, { quantity, price });
  return checkEntry(limits.merged, risk, positionValues(ledger), { symbol, at, value });
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
  const positions = placed.length > 0 ? positionValues(ledger, marks) : new Map<string, Decimal>();
  let state = deployment.risk ?? startRisk(at);
  const refused: BarChecked['refused'][number][] = [];
  for (const entry of placed) {
    const order = entry.client_order_id;
    const value = valueOfPlaced(deployment, ledger, symbol, entry);
    const exceeded = checkEntry(limits, state, positions, { symbol, at: entry.at, value, hasTime });
    if (exceeded) refused.push({ order, reason: exceededText(exceeded) });
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

/** Returns whether a close concerns the owner: a loss limit is reached, or most of one is used. */
export const concernsLimits = (
  { limits, risk }: Pick<TradingDeployment, 'limits' | 'risk'>,
  ledger: Ledger,
  at: number,
  marks: Marks,
): boolean => {
  if (!limits || !limitsLoss(limits.merged)) return false;
  // The equity before the first bar of a day is noted.
  if (risk && dayOf(at) > risk.day) return true;
  const { state, usages } = usagesOf(limits.merged, risk ?? startRisk(at), ledger, at, marks);
  if (state.baseline !== risk?.baseline) return true;
  const { warnings, tripped } = judge(state, usages);
  return tripped !== undefined || warnings.length > 0;
};
