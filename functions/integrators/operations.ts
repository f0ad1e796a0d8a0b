import type { Operation } from '../../shared/api/operation.ts';
import { getAllTradesByUserDeployments } from './get-all-trades-by-user-deployments.ts';
import { getAllUserDeployments } from './get-all-user-deployments.ts';
import { getAllUserScanners } from './get-all-user-scanners.ts';
import { getBrokerUserSlippageByEmail } from './get-broker-user-slippage-by-email.ts';
import { getUserStrategies } from './get-user-strategies.ts';

import { getUserStrategyPerformance } from './get-user-strategy-performance.ts';

/** Operations for integrators: they read the users linked to their broker. */
export const integratorsOperations: readonly Operation[] = [
  getBrokerUserSlippageByEmail,
  getUserStrategyPerformance,
  getAllUserDeployments,
  getAllUserScanners,
  getAllTradesByUserDeployments,
  getUserStrategies,
];
