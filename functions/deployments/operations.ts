import type { Operation } from '../../shared/api/operation.ts';
import { checkLatestOrderStatus } from './check-latest-order-status.ts';
import { checkTradesPosition } from './check-trades-position.ts';
import { deployLiveStrategy } from './deploy-live-strategy.ts';
import { deployNotificationStrategy } from './deploy-notification-strategy.ts';
import { deployScanner } from './deploy-scanner.ts';
import { getAllLiveDeployments } from './get-all-live-deployments.ts';
import { getAllNotificationDeployments } from './get-all-notification-deployments.ts';
import { getAuditTrail } from './get-audit-trail.ts';
import { getDeployment } from './get-deployment.ts';
import { getDeploymentEngine } from './get-deployment-engine.ts';
import { getDeploymentNotifications } from './get-deployment-notifications.ts';
import { getGlobalOrderBook } from './get-global-order-book.ts';
import { getLiveDeploymentStrategiesVolume } from './get-live-deployment-strategies-volume.ts';
import { getLiveDeploymentsAggregatedStats } from './get-live-deployments-aggregated-stats.ts';
import { getLiveDeploymentsOrderStatus } from './get-live-deployments-order-status.ts';
import { getLiveDepsPnl } from './get-live-deps-pnl.ts';
import { getLiveExpiredStrategies } from './get-live-expired-strategies.ts';
import { getLiveStrategyFullOrderBook } from './get-live-strategy-full-order-book.ts';
import { getLiveStrategyOrderBook } from './get-live-strategy-order-book.ts';
import { getPLLiveDeployedStrategies } from './get-p-l-live-deployed-strategies.ts';
import { getRiskLimits } from './get-risk-limits.ts';
import { getScannerDeployments } from './get-scanner-deployments.ts';
import { getSwapValues } from './get-swap-values.ts';
import { getUniverses } from './get-universes.ts';
import { pauseDeployment } from './pause-deployment.ts';
import { previewDeployment } from './preview-deployment.ts';
import { declineProposal } from './proposals/decline-proposal.ts';
import { getProposals } from './proposals/get-proposals.ts';
import { proposeDeployment } from './proposals/propose-deployment.ts';
import { readDeploymentNotifications } from './read-deployment-notifications.ts';
import { resumeDeployment } from './resume-deployment.ts';
import { setRiskLimits } from './set-risk-limits.ts';
import { stopDeployment } from './stop-deployment.ts';
import { undeployLiveStrategy } from './undeploy-live-strategy.ts';
import { undeployNotificationStrategy } from './undeploy-notification-strategy.ts';
import { undeployScanner } from './undeploy-scanner.ts';

import { updateLiveTrade } from './update-live-trade.ts';

import { updateLiveTradeInOrderBook } from './update-live-trade-in-order-book.ts';

/** Operations on deployments and their notifications. */
export const deploymentsOperations: readonly Operation[] = [
  deployNotificationStrategy,
  undeployNotificationStrategy,
  getAllNotificationDeployments,
  deployScanner,
  undeployScanner,
  getScannerDeployments,
  getUniverses,
  getDeploymentNotifications,
  getDeployment,
  getDeploymentEngine,
  readDeploymentNotifications,
  pauseDeployment,
  resumeDeployment,
  stopDeployment,
  getAuditTrail,
  deployLiveStrategy,
  previewDeployment,
  proposeDeployment,
  getProposals,
  declineProposal,
  undeployLiveStrategy,
  setRiskLimits,
  getRiskLimits,
  getAllLiveDeployments,
  updateLiveTradeInOrderBook,
  updateLiveTrade,
  getLiveStrategyOrderBook,
  getLiveStrategyFullOrderBook,
  getGlobalOrderBook,
  checkLatestOrderStatus,
  checkTradesPosition,
  getSwapValues,
  getLiveDepsPnl,
  getPLLiveDeployedStrategies,
  getLiveExpiredStrategies,
  getLiveDeploymentsAggregatedStats,
  getLiveDeploymentStrategiesVolume,
  getLiveDeploymentsOrderStatus,
];
