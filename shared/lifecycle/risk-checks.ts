import type { StoredOrder } from '../data/books/orders.ts';
import type { TradingDeployment } from '../data/deployments/deployments.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { lastRate } from '../domain/ledger/marks.ts';
import { converted, type Decimal, decimal, scaled } from '../domain/money.ts';
import { judge, lossUsages, orderUsages, trip, type Usage } from '../domain/risk/check-book.ts';
import { checkEntry, type Exceeded, exceededText } from '../domain/risk/check-entry.ts';
import { dayStart, equityOf, type Marks, positionValues } from '../domain/risk/equity.ts';
import { limitsLoss, type MergedLimits } from '../domain/risk/limits.ts';
import {
  countOrder,
  moveTo,
  type RiskState,
  raisePeak,
  startRisk,
  withBaseline,
} from '../domain/risk/state.ts';
import type { Effect } from './deployment-change.ts';
import { type Command, decideCommand } from './deployment-commands.ts';
import { reachedText, trippedText, warningText } from './risk-texts.ts';

/** Books before a report, and its time. */
export interface Reported {
  readonly ledger: Ledger;
  /** The order before; undefined for a new one. */
  readonly order: StoredOrder | undefined;
  readonly at: number;
}

const heldIn = ({ head }: Ledger, symbol: string): Decimal =>
  decimal(head.symbols[symbol]?.position?.quantity ?? '0');

/** Returns whether an order opens or adds to a position, or turns it around. */
const isEntry = (
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

/** Returns the limit that the fills of an order have exceeded. */
const exceededByFills = (
  limits: MergedLimits,
  order: StoredOrder,
  before: Ledger,
  after: Ledger,
): Exceeded | undefined => {
  const { symbol } = order;
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
  return { state, exceeded: own ?? exceededByFills(limits, order, ledger, after) };
};

/** Computes the state and the use of the limits after a change of the books. */
const usagesOf = (
  limits: MergedLimits,
  before: RiskState,
  ledger: Ledger,
  at: number,
  marks?: Marks,
): { readonly state: RiskState; readonly usages: Usage[] } => {
  const moved = moveTo(before, at);
  const orders = orderUsages(limits, moved, at);
  if (!limitsLoss(limits)) return { state: moved, usages: orders };
  const value = { at, equity: equityOf(ledger, marks), day_start: dayStart(ledger, at) };
  const based = withBaseline(moved, value.equity);
  const usages = [...lossUsages(limits, based, value), ...orders];
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
 * Adds to an effect that a limit stops the deployment: the command, the notification and the entry of the audit trail. A
 * deployment that is stopped already only remembers the limit.
 */
const stoppedBy = (
  effect: Effect,
  deployment: TradingDeployment,
  breach: Breach,
  command: Pick<Command, 'action' | 'flatten'>,
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
  const flatten = command.flatten ?? false;
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
 * Checks a report of an engine against the risk limits of its deployment. A limit that is exceeded halts the deployment
 * in the transaction of the report, and tells the engine. Costs nothing without limits.
 */
export const checkReport = (effect: Effect, reported: Reported, now: Date): Effect => {
  const { deployment, ledger, order } = effect;
  if (deployment.kind !== 'live' || !deployment.limits || !ledger) return effect;
  if (isFinalDeploymentStatus(deployment.status)) return effect;
  const { merged: limits } = deployment.limits;
  const { at } = reported;
  const first = deployment.risk ?? startRisk(at);
  const judged = order
    ? judgeOrder(limits, first, order, ledger, reported)
    : { state: first, exceeded: undefined };
  const { state: counted, usages } = usagesOf(limits, judged.state, ledger, at);
  const { state, warnings, tripped } = judge(counted, usages);
  const breach = first.tripped ? undefined : breachOf(judged.exceeded, tripped, deployment.currency);
  const under = state === deployment.risk ? deployment : { ...deployment, risk: state };
  if (breach) {
    const command = { action: 'halt', flatten: limits.action === 'flatten' } as const;
    return stoppedBy(effect, under, breach, command, { at, now });
  }
  if (under === deployment && warnings.length === 0) return effect;
  return {
    ...effect,
    deployment: under,
    notifications: [...effect.notifications, ...warnings.map((usage) => warningText(deployment, usage))],
  };
};
