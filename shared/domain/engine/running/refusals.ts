import { endOrder } from '../account/entries.ts';
import type { TradingPlan } from '../plan.ts';
import { takeSteps } from './advance.ts';
import { entryIdOf } from './entry-orders.ts';
import type { AccountReport } from './order-report.ts';
import type { PaperAccount } from './paper-account.ts';
import { reportsOf } from './reports.ts';

/** An entry that a risk limit refuses. Recorded, so that the same bars and refusals give the same trades. */
export interface PaperRefusal {
  readonly order: string;
  /** Text for the owner. */
  readonly reason: string;
}

/** Returns the refusals of entries that still wait. */
export const waitingRefusals = <R extends PaperRefusal>(
  { account, symbol }: PaperAccount,
  refusals: readonly R[],
): R[] => {
  if (refusals.length === 0 || account.orders.length === 0) return [];
  const waiting = new Set(account.orders.map((order) => entryIdOf(symbol, order)));
  return refusals.filter(({ order }) => waiting.has(order));
};

/** Cancels waiting entries that are refused, before anything else takes effect. Returns the reports. */
export const applyRefusals = (
  paper: PaperAccount,
  plan: TradingPlan,
  refusals: readonly PaperRefusal[],
): AccountReport[] => {
  const waiting = waitingRefusals(paper, refusals);
  if (waiting.length === 0) return [];
  const reasons = new Map(waiting.map(({ order, reason }) => [order, reason]));
  const { account, symbol } = paper;
  const kept = account.orders.filter(
    (order) => !reasons.has(entryIdOf(symbol, order)) || !endOrder(account, plan, order, 'risk_limit'),
  );
  account.orders.splice(0, account.orders.length, ...kept);
  return reportsOf(paper, plan, takeSteps(account), account.at).map((report) => {
    const reason = report.kind === 'order' ? reasons.get(report.client_order_id) : undefined;
    return reason === undefined ? report : { ...report, status_message: reason };
  });
};
