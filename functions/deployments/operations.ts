import type { Operation } from '../../shared/api/operation.ts';
import { deployLiveStrategy } from './deploy-live-strategy.ts';
import { deployNotificationStrategy } from './deploy-notification-strategy.ts';
import { deployScanner } from './deploy-scanner.ts';
import { getAllLiveDeployments } from './get-all-live-deployments.ts';
import { getAllNotificationDeployments } from './get-all-notification-deployments.ts';
import { getDeploymentNotifications } from './get-deployment-notifications.ts';
import { getScannerDeployments } from './get-scanner-deployments.ts';
import { readDeploymentNotifications } from './read-deployment-notifications.ts';
import { undeployLiveStrategy } from './undeploy-live-strategy.ts';
import { undeployNotificationStrategy } from './undeploy-notification-strategy.ts';
import { undeployScanner } from './undeploy-scanner.ts';

/** Deployments and their notifications. */
export const deploymentsOperations: readonly Operation[] = [
  deployNotificationStrategy,
  undeployNotificationStrategy,
  getAllNotificationDeployments,
  deployScanner,
  undeployScanner,
  getScannerDeployments,
  getDeploymentNotifications,
  readDeploymentNotifications,
  deployLiveStrategy,
  undeployLiveStrategy,
  getAllLiveDeployments,
];
