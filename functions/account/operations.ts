import type { Operation } from '../../shared/api/operation.ts';
import { getDeploymentPerformance } from './get-deployment-performance.ts';
import { getDeploymentTrades } from './get-deployment-trades.ts';

/** Operations of an owner across deployments: performance, trades. */
export const accountOperations: readonly Operation[] = [getDeploymentPerformance, getDeploymentTrades];
