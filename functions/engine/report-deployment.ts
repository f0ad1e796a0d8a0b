import { HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import { takeEvent } from '../../shared/lifecycle/reports/take-report.ts';
import type { Runtime } from '../../shared/runtime.ts';

/** Reports the start, the end or the failure of a deployment that the hub runs, at the time of a bar or of the clock. */
export const reportDeployment = (
  runtime: Runtime,
  deployment_id: number,
  detailType: 'Deployment Started' | 'Deployment Stopped' | 'Deployment Error',
  at: number,
  more: object = {},
): Promise<void> =>
  takeEvent(runtime, {
    'detail-type': detailType,
    source: HUB_SOURCE,
    detail: { version: 1, deployment_id, occurred_at: new Date(Math.max(0, at)).toISOString(), ...more },
  });
