import { type Ratio, splitQuantityText } from '../../splits/ratio.ts';
import { payFractions, restateAccount } from '../account/split-account.ts';
import type { TradingPlan } from '../plan.ts';
import { takeSteps } from './advance.ts';
import type { AccountReport } from './order-report.ts';
import type { PaperAccount } from './paper-account.ts';
import { cancelSignals } from './paper-signals.ts';
import { reportsOf, restatedReports } from './reports.ts';

/**
 * Restates an account on paper in new units, after its last bar in old ones.
 *
 * @param at start of the first bar in new units.
 * @returns reports of the fractions that were paid out, in old units: book them before the split; and of the orders that
 *   wait, in new ones.
 */
export const splitPaper = (
  paper: PaperAccount,
  plan: TradingPlan,
  ratio: Ratio,
  at = Number.POSITIVE_INFINITY,
): AccountReport[] => {
  const { account } = paper;
  account.journal = [];
  // Signals that arrived later are in new units.
  cancelSignals(paper, 'split', at);
  payFractions(account, ratio);
  const reports = reportsOf(paper, plan, takeSteps(account), paper.at);
  restateAccount(account, ratio);
  for (const [id, quantity] of paper.waiting) paper.waiting.set(id, splitQuantityText(quantity, ratio));
  return [...reports, ...restatedReports(paper, plan)];
};
