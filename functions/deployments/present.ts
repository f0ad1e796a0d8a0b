import type * as z from 'zod';
import type {
  Deployment,
  NotificationDeployment,
  ScannerDeployment,
} from '../../shared/data/deployments/deployments.ts';
import { type ReadMarks, unreadCount } from '../../shared/data/deployments/notifications.ts';
import type { endedDeployment } from './ended-record.ts';
import type { notificationDeploymentOut } from './notification-deployment-record.ts';
import type { scannerDeploymentsOut } from './scanner-record.ts';

const run = (deployment: Deployment) => ({
  deployment_id: deployment.deployment_id,
  strategy_id: deployment.strategy_id,
  strategy_name: deployment.strategy_name,
  timeframe: deployment.timeframe,
  status: deployment.status,
  deployed_at: deployment.deployed_at,
  expires_at: deployment.expires_at ?? null,
  stopped_at: deployment.stopped_at ?? null,
  stop_reason: deployment.stop_reason,
});

/** Presents a notification deployment to its owner. */
export const presentNotificationDeployment = (
  deployment: NotificationDeployment,
  marks: ReadMarks,
): z.output<typeof notificationDeploymentOut> => ({
  ...run(deployment),
  symbol: deployment.symbols.join(','),
  type: 'notification',
  phase: deployment.phase,
  channels: deployment.channels,
  frequency: deployment.frequency,
  last_signal: deployment.last_signal ?? null,
  signals_count: deployment.signals_count,
  unread_count: unreadCount(deployment.unread, marks),
});

/** Presents a scanner deployment to its owner. */
export const presentScanner = (deployment: ScannerDeployment): z.output<typeof scannerDeploymentsOut> => ({
  ...run(deployment),
  universe_id: deployment.universe_id,
  universe_name: deployment.universe_name,
  last_run_at: deployment.last_run_at ?? null,
  matches_count: deployment.matches_count,
  last_matches: deployment.last_matches,
});

/** Presents an ended deployment. */
export const presentEnded = (deployment: Deployment): z.output<typeof endedDeployment> => ({
  deployment_id: deployment.deployment_id,
  status: deployment.status,
  stop_reason: deployment.stop_reason,
  stopped_at: deployment.stopped_at ?? null,
});
