import type { Operation } from '../../shared/api/operation.ts';
import { checkLatestOrderStatus } from './check-latest-order-status.ts';
import { deployLiveStrategy } from './deploy-live-strategy.ts';
import { deployNotificationStrategy } from './deploy-notification-strategy.ts';
import { deployScanner } from './deploy-scanner.ts';
import { getAllLiveDeployments } from './get-all-live-deployments.ts';
import { getAllNotificationDeployments } from './get-all-notification-deployments.ts';
import { getDeploymentNotifications } from './get-deployment-notifications.ts';
import { getGlobalOrderBook } from './get-global-order-book.ts';
import { getLiveStrategyFullOrderBook } from './get-live-strategy-full-order-book.ts';
import { getLiveStrategyOrderBook } from './get-live-strategy-order-book.ts';
import { getScannerDeployments } from './get-scanner-deployments.ts';
import { readDeploymentNotifications } from './read-deployment-notifications.ts';
import { undeployLiveStrategy } from './undeploy-live-strategy.ts';
import { undeployNotificationStrategy } from './undeploy-notification-strategy.ts';
import { undeployScanner } from './undeploy-scanner.ts';

import { updateLiveTrade } from './update-live-trade.ts';

import { updateLiveTradeInOrderBook } from './update-live-trade-in-order-book.ts';

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
  updateLiveTradeInOrderBook,
  updateLiveTrade,
  getLiveStrategyOrderBook,
  getLiveStrategyFullOrderBook,
  getGlobalOrderBook,
  checkLatestOrderStatus,
];
