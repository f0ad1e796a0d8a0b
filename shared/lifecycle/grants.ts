import { findRunning } from '../data/books/running-deployments.ts';
import { findReadable } from '../data/deployments/deployments.ts';
import { findConnections } from '../data/execution/connections.ts';
import { hookIn } from '../data/signals/signal-hooks.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import type { Store } from '../data/table/store.ts';
import { newestDeploymentIds } from '../data/user-data/holdings.ts';
import { validKeys } from '../data/users/api-keys.ts';
import type { User } from '../data/users/users.ts';
import { isWhiteLabel } from '../data/users/users.ts';
import { asEndpoints } from '../data/webhooks/endpoints.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';

export const GRANT_KINDS = [
  'api_key',
  'webhook',
  'signal_address',
  'execution_connection',
  'partner_connection',
  'broker',
  'deployment',
] as const;

/** Names something that acts for a user, or reads the user, without a session. */
export interface Grant {
  readonly kind: (typeof GRANT_KINDS)[number];
  /** Names it to the operation that ends it alone. */
  readonly id: string;
  readonly name: string;
  readonly since: string;
}

/** The most notification deployments and scanners that are listed: the newest. */
const MAX_WATCHERS = 90;

const byTime = (left: Grant, right: Grant): number => (left.since < right.since ? 1 : -1);

/** Reads the active deployments of a user: all that trade, and the newest others. */
const findActive = async (store: Store, userId: string) => {
  const [running, newest] = await Promise.all([
    findRunning(store, userId),
    newestDeploymentIds(store, userId, MAX_WATCHERS),
  ]);
  const trading = running.filter(({ status }) => !isFinalDeploymentStatus(status));
  const known = new Set(running.map(({ deployment_id }) => deployment_id));
  const { deployments } = await findReadable(
    store,
    newest.filter((id) => !known.has(id)),
  );
  return [...trading, ...deployments.filter(({ status }) => !isFinalDeploymentStatus(status))];
};

/** Reads what goes on for a user after all sessions have ended, newest first. */
export const findGrants = async (store: Store, user: User, now: Date): Promise<Grant[]> => {
  const { user_id: userId } = user;
  const [items, connections, active] = await Promise.all([
    store.getMany([keys.userWebhooks(userId)], { consistent: true }),
    findConnections(store, userId),
    findActive(store, userId),
  ]);
  const ids = active.map(({ deployment_id }) => deployment_id).slice(0, 100);
  const hooks = ids.length === 0 ? [] : await store.getMany(ids.map(keys.signalHook), { consistent: true });
  const endpoints = asEndpoints(itemWith(items, keys.userWebhooks(userId)))?.endpoints ?? [];
  const grants: Grant[] = [
    ...validKeys(user, now).map(([id, { name, created_at }]) => ({
      kind: 'api_key' as const,
      id,
      name,
      since: new Date(created_at * 1000).toISOString(),
    })),
    ...endpoints.map(({ endpoint_id, description, created_at }) => ({
      kind: 'webhook' as const,
      id: endpoint_id,
      name: description,
      since: created_at,
    })),
    ...active.flatMap(({ deployment_id, strategy_name }) => {
      const hook = hookIn(hooks, deployment_id);
      return hook
        ? [
            {
              kind: 'signal_address' as const,
              id: String(deployment_id),
              name: strategy_name,
              since: hook.created_at,
            },
          ]
        : [];
    }),
    ...connections.map(({ account_id, adapter, environment, connected_at }) => ({
      kind: 'execution_connection' as const,
      id: account_id,
      name: `${adapter} ${environment}`,
      since: connected_at,
    })),
    ...Object.entries(user.brokers).map(([domain, { name, connected_at }]) => ({
      kind: isWhiteLabel(domain) ? ('broker' as const) : ('partner_connection' as const),
      id: domain,
      name,
      since: connected_at,
    })),
    ...active.map(({ deployment_id, strategy_name, deployed_at }) => ({
      kind: 'deployment' as const,
      id: String(deployment_id),
      name: strategy_name,
      since: deployed_at,
    })),
  ];
  return grants.sort(byTime);
};
