import type * as z from 'zod';
import type { Sub } from '../../../shared/data/engine/subscriptions.ts';
import type { PendingOrder } from '../../../shared/domain/engine/account/account.ts';
import { entryIdOf, entryOf, quantityText } from '../../../shared/domain/engine/running/entry-orders.ts';
import type { ExplainedDecision, Explanation } from '../../../shared/domain/engine/running/explain.ts';
import type { PaperAccount } from '../../../shared/domain/engine/running/paper-account.ts';
import type { ExplainedCondition } from '../../../shared/domain/engine/running/reasons.ts';
import type { RunningProgram } from '../../../shared/domain/engine/running/running-program.ts';
import type { engineSymbolOut } from '../records/deployment-engine.ts';
import type { DataDelay } from './data-delay.ts';
import type { LegView } from './leg-view.ts';

type Presented = z.output<typeof engineSymbolOut>;

const time = (at: number): string => new Date(at).toISOString();
const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Lists a condition and its members, outermost first. */
const conditionsOf = (
  { text, holds, conditions = [] }: ExplainedCondition,
  level = 0,
): { level: number; text: string; holds: boolean }[] => [
  { level, text, holds },
  ...conditions.flatMap((inner) => conditionsOf(inner, level + 1)),
];

const presentDecision = ({ side, holds, blocked, condition }: ExplainedDecision) => ({
  side,
  holds,
  blocked: blocked ?? null,
  conditions: conditionsOf(condition),
});

const presentEvaluation = (
  { evaluated, values, entries, exits }: Explanation,
  at: number,
): Presented['evaluation'] => ({
  at: time(at),
  is_evaluated: evaluated,
  values: [...values],
  entries: entries.map(presentDecision),
  exits: exits.map(presentDecision),
});

const nameOf = (side: 1 | -1): 'long' | 'short' => (side === 1 ? 'long' : 'short');

const presentOrder = (
  running: RunningProgram,
  { symbol, waiting }: PaperAccount,
  order: PendingOrder,
): Presented['orders'][number] => {
  const { kind, side } = entryOf(running.program.trading, order);
  const id = entryIdOf(symbol, order);
  const quantity = waiting.get(id);
  return {
    client_order_id: id,
    side: nameOf(side),
    order_type: kind,
    price: orNull(order.price),
    quantity: quantity === undefined ? null : Number(quantity),
    placed_at: time(order.placedAt),
  };
};

const presentTrades = ({ account, entryIds }: PaperAccount): Presented['trades'] =>
  account.trades.map((trade) => ({
    client_order_id: entryIds.get(trade) ?? null,
    side: nameOf(trade.side),
    quantity: Number(quantityText(trade.steps, account.settings)),
    entry_at: time(trade.entryAt),
    entry_price: trade.entryPrice,
    stop_loss: orNull(trade.stop),
    is_trailed: trade.isTrailed,
    take_profit: orNull(trade.target),
    closing_quantity: Number(quantityText(trade.closing, account.settings)),
  }));

interface Known {
  readonly symbol: string;
  readonly sub: Sub | undefined;
  readonly delay: DataDelay | undefined;
  /** State of the deployment in words, if it does not take entries. */
  readonly state: string | undefined;
}

type FailingSub = Sub & { readonly failing: NonNullable<Sub['failing']> };

/** Returns whether the engine fails at a subscription. The note is void once the account has moved on. */
const isFailing = (sub: Sub | undefined): sub is FailingSub =>
  sub?.failing !== undefined && sub.error === undefined && (sub.kind === 'N' || sub.failing.at === sub.at);

/** Writes what a symbol waits for, next to the state of its deployment and its data. */
const waitingOf = (
  { waits_for, at }: LegView,
  { state, sub, isOverdue }: Pick<Known, 'state' | 'sub'> & { readonly isOverdue: boolean },
): string => {
  if (sub?.error !== undefined) return `is skipped: ${sub.error}`;
  if (isFailing(sub)) {
    return `waits for the engine, which fails at its bars and tries again; ${waits_for}`;
  }
  if (isOverdue && at !== undefined) {
    return `waits for bars: the newest is of ${time(at)}; ${waits_for}`;
  }
  return state === undefined ? waits_for : `${state}; ${waits_for}`;
};

/** Presents a symbol of a deployment that the hub runs. */
export const presentLeg = (view: LegView, { symbol, sub, delay, state }: Known): Presented => {
  const { running, at, explanation, paper } = view;
  const decisions = sub === undefined || sub.kind === 'N' ? [] : sub.decisions;
  return {
    symbol,
    waits_for: waitingOf(view, { state, sub, isOverdue: delay?.isOverdue ?? false }),
    last_bar: at === undefined || !delay ? null : { start: time(at), closed_at: time(delay.closedAt) },
    next_bar_due_at: delay?.dueAt == null ? null : time(delay.dueAt),
    data_delay_s: delay?.delay == null ? null : Math.floor(delay.delay / 1000),
    data_delay_note: delay?.note ?? null,
    evaluation: explanation && at !== undefined ? presentEvaluation(explanation, at) : null,
    orders: running && paper ? paper.account.orders.map((order) => presentOrder(running, paper, order)) : [],
    trades: paper ? presentTrades(paper) : [],
    decisions: decisions.map(({ at: when, text }) => ({ at: time(when), text })).toReversed(),
    error: sub?.error ?? null,
    failing_since: isFailing(sub) ? time(sub.failing.since) : null,
  };
};
