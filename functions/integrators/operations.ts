import type { Operation } from '../../shared/api/operation.ts';
import { getAllUserDeployments } from './get-all-user-deployments.ts';
import { getAllUserScanners } from './get-all-user-scanners.ts';
import { getUserStrategies } from './get-user-strategies.ts';

/** What integrators read of the users who are linked to their broker. */
export const integratorsOperations: readonly Operation[] = [
  getAllUserDeployments,
  getAllUserScanners,
  getUserStrategies,
];
