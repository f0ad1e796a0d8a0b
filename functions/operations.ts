import type { Operation } from '../shared/api/operation.ts';
import { accountOperations } from './account/operations.ts';
import { analyticsOperations } from './analytics/operations.ts';
import { assistantsOperations } from './assistants/operations.ts';
import { backtestsOperations } from './backtests/operations.ts';
import { candlesOperations } from './candles/operations.ts';
import { consoleOperations } from './console/operations.ts';
import { deploymentsOperations } from './deployments/operations.ts';
import { docsOperations } from './docs/operations.ts';
import { eventsOperations } from './events/operations.ts';
import { executionOperations } from './execution/operations.ts';
import { integratorsOperations } from './integrators/operations.ts';
import { killSwitchOperations } from './kill-switch/operations.ts';
import { partnersOperations } from './partners/operations.ts';
import { signalsOperations } from './signals/operations.ts';
import { strategiesOperations } from './strategies/operations.ts';
import { userAccessOperations } from './user-access/operations.ts';
import { usersOperations } from './users/operations.ts';
import { webhooksOperations } from './webhooks/operations.ts';

/** Operations by group; a group is one Lambda function. */
export const OPERATION_GROUPS: Readonly<Record<string, readonly Operation[]>> = {
  'user-access': userAccessOperations,
  strategies: strategiesOperations,
  candles: candlesOperations,
  backtests: backtestsOperations,
  users: usersOperations,
  deployments: deploymentsOperations,
  account: accountOperations,
  events: eventsOperations,
  execution: executionOperations,
  'kill-switch': killSwitchOperations,
  webhooks: webhooksOperations,
  signals: signalsOperations,
  partners: partnersOperations,
  integrators: integratorsOperations,
  analytics: analyticsOperations,
  assistants: assistantsOperations,
  docs: docsOperations,
  console: consoleOperations,
};

const unique = (operations: readonly Operation[]): readonly Operation[] => {
  const seen = new Set<string>();
  for (const { routeKey, operationId } of operations) {
    for (const key of [routeKey, operationId]) {
      if (seen.has(key)) throw new Error(`two operations are declared as ${key}`);
      seen.add(key);
    }
  }
  return operations;
};

/**
 * Lists every operation of the service.
 *
 * @throws Error if two share a route or an id
 */
export const OPERATIONS: readonly Operation[] = unique(Object.values(OPERATION_GROUPS).flat());
