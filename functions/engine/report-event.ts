import { HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import type { AccountReport } from '../../shared/domain/engine/live/order-report.ts';
import {
  isLedgerEvent,
  type LedgerEvent,
  MalformedEventError,
  parseEvent,
} from '../../shared/lifecycle/reports/report.ts';

const detailTypeOf = ({ kind }: AccountReport) => (kind === 'order' ? 'Order Updated' : 'Swap Charged');

/** Returns the event of a report of an account, checked like those of engines. @throws MalformedEventError */
export const eventOfReport = (deployment_id: number, report: AccountReport): LedgerEvent => {
  const { kind: _, at, ...fields } = report;
  const event = parseEvent({
    'detail-type': detailTypeOf(report),
    source: HUB_SOURCE,
    detail: { version: 1, deployment_id, occurred_at: new Date(at).toISOString(), ...fields },
  });
  if (!isLedgerEvent(event)) throw new MalformedEventError('the report is no event of a ledger');
  return event;
};
