import type { Operation } from '../../shared/api/operation.ts';
import { getAccountOverview } from './get-account-overview.ts';
import { getDeploymentPerformance } from './get-deployment-performance.ts';
import { getDeploymentTrades } from './get-deployment-trades.ts';
import { getNotificationPreferences } from './get-notification-preferences.ts';
import { setNotificationPreferences } from './set-notification-preferences.ts';
import { unsubscribe } from './unsubscribe.ts';
import { unsubscribePage } from './unsubscribe-page.ts';

/** Operations of an owner across deployments: overview, performance, trades, notification preferences. */
export const accountOperations: readonly Operation[] = [
  getAccountOverview,
  getDeploymentPerformance,
  getDeploymentTrades,
  getNotificationPreferences,
  setNotificationPreferences,
  unsubscribePage,
  unsubscribe,
];
