import type { AccountReport } from '../../shared/domain/engine/running/order-report.ts';
import { type BooksReport, ORDER_UPDATED, SWAP_CHARGED } from '../../shared/lifecycle/reports/report.ts';

/** Returns the report on a deployment of a report of its account. @throws MalformedEventError */
export const reportOfAccount = (deployment_id: number, { at, ...report }: AccountReport): BooksReport => {
  const common = { deployment_id, occurred_at: new Date(at).toISOString() };
  return report.kind === 'order'
    ? ORDER_UPDATED.ofHub({ ...report, ...common })
    : SWAP_CHARGED.ofHub({ ...report, ...common });
};
