import type { Operation } from '../../shared/api/operation.ts';
import { getAccountOverview } from './get-account-overview.ts';
import { getDeploymentPerformance } from './get-deployment-performance.ts';
import { getDeploymentTrades } from './get-deployment-trades.ts';

/** Operations of an owner across deployments: overview, performance, trades. */
export const accountOperations: readonly Operation[] = [
  getAccountOverview,
  getDeploymentPerformance,
  getDeploymentTrades,
];
