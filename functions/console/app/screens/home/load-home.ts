import type {
  AccountOverview,
  LiveDeploymentCustomOut,
} from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import type { NeedFacts } from './needs.ts';

/** Steps of a new user, and whether each was taken. */
export interface Steps {
  readonly hasStrategy: boolean;
  readonly hasBacktest: boolean;
  readonly hasDeployment: boolean;
}

/** Account as the home screen shows it. */
export interface HomeFacts extends Omit<NeedFacts, 'isEmailVerified' | 'unread'> {
  readonly overview: AccountOverview;
  readonly deployments: readonly LiveDeploymentCustomOut[];
  readonly steps: Steps;
}

/** Most deployments that are looked at. */
const MOST = 100;

/** Loads the account for the home screen. */
export const loadHome = async (signal: AbortSignal): Promise<HomeFacts> => {
  const one = { user_id: ME, size: 1 } as const;
  const options = { signal };
  const [overview, trading, keys, connections, proposals, failures, ...totals] = await Promise.all([
    hub.getAccountOverview({ user_id: ME }, options),
    hub.getAllLiveDeploymentsV2({ user_id: ME, size: MOST }, options),
    hub.getApiKeys({ user_id: ME }, options),
    hub.getExecutionConnections({ user_id: ME }, options),
    hub.getProposals({ user_id: ME }, options),
    hub.getDeploymentNotifications({ ...one, unread: true, kind: 'deployment_error' }, options),
    hub.getStrategiesByUser(one, options),
    hub.getBacktests(one, options),
    hub.getAllNotificationDeployments(one, options),
    hub.getScannerDeployments(one, options),
    hub.getLiveExpiredStrategiesV2(one, options),
  ]);
  const [strategies, backtests, ...others] = totals;
  return {
    overview,
    deployments: trading.items,
    risk: overview.risk,
    failures: failures.total,
    keys: keys.api_keys,
    connections: connections.connections,
    proposals: proposals.proposals.length,
    steps: {
      hasStrategy: strategies.total > 0,
      hasBacktest: backtests.total > 0,
      hasDeployment: [trading, ...others].some(({ total }) => total > 0),
    },
  };
};
