import { findRunning } from '../data/books/running-deployments.ts';
import { releaseAccountWrites } from '../data/brokers/broker-accounts.ts';
import { type ExecutionConnection, findConnections, removalWrite } from '../data/execution/connections.ts';
import { outboxWrite } from '../data/outbox/outbox.ts';
import { beginDisconnect } from '../data/partner-c/ending.ts';
import { keys } from '../data/table/keys.ts';
import type { Store } from '../data/table/store.ts';
import type { Write } from '../data/table/writes.ts';
import { securityEventWrite } from '../data/users/security-events.ts';
import { isWhiteLabel, PROGRAMS, type User } from '../data/users/users.ts';
import { stateRemoval } from '../data/webhooks/endpoint-states.ts';
import { asEndpoints, endpointsWrite } from '../data/webhooks/endpoints.ts';
import { isFinalDeploymentStatus } from '../domain/deployments/deployment-states.ts';
import { textId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { findGrants, type Grant } from './grants.ts';
import { stopDeployments } from './stop-deployments.ts';

const REASON = 'The user ended all that acts for the account.';

/** Returns the writes that end the webhooks of a user. */
const webhookWrites = async (store: Store, userId: string): Promise<Write[]> => {
  const [item] = await store.getMany([keys.userWebhooks(userId)], { consistent: true });
  const held = asEndpoints(item);
  return held && held.endpoints.length > 0
    ? [endpointsWrite(held, held.owner, []), ...held.endpoints.map(({ endpoint_id: id }) => stateRemoval(id))]
    : [];
};

/** Returns the write that ends the links of a user to brokers, the platform token and API keys. Its condition fails after another change. */
const linkWrites = (user: User): Write[] => {
  const domains = Object.keys(user.brokers).filter(isWhiteLabel);
  const links = domains.map((_, index) => `brokers.#b${index}`);
  return [
    {
      key: keys.user(user.user_id),
      update: `REMOVE ${[PROGRAMS, ...links].join(', ')}`,
      condition: `attribute_exists(pk)${domains.map((_, index) => ` AND brokers.#b${index}.connected_at = :since${index}`).join('')}`,
      ...(domains.length > 0 && {
        names: Object.fromEntries(domains.map((domain, index) => [`#b${index}`, domain])),
        values: Object.fromEntries(
          domains.map((domain, index) => [`:since${index}`, user.brokers[domain]?.connected_at]),
        ),
      }),
    },
    ...domains.flatMap((domain) => releaseAccountWrites(user, domain)),
  ];
};

/**
 * Ends what acts for a user without a session. Webhooks, addresses for signals, links to brokers, the platform token and
 * API keys end at once; deployments and connections by a message, as engines and brokers take part.
 *
 * @returns what ends.
 * @throws TransactionRefusedError if it changed meanwhile
 */
export const endGrants = async (
  runtime: Pick<Runtime, 'store' | 'random'>,
  user: User,
  now: Date,
): Promise<Grant[]> => {
  const { store, random } = runtime;
  const { user_id } = user;
  const grants = await findGrants(store, user, now);
  const hooks = grants.filter(({ kind }) => kind === 'signal_address').slice(0, 50);
  await store.transact([
    ...(await webhookWrites(store, user_id)),
    ...hooks.map(({ id }) => ({ delete: keys.signalHook(Number(id)) })),
    ...linkWrites(user),
    securityEventWrite(user, { kind: 'grants_ended', now }),
    outboxWrite(
      textId(random),
      { kind: 'account_secured', user_id, by: 'grants', made_before: now.toISOString() },
      now,
    ),
  ]);
  if (grants.some(({ kind }) => kind === 'partner_connection')) await beginDisconnect(store, user_id, now);
  return grants;
};

/** Tells whether a deployment still needs the connection of its account. */
const usedAccounts = async (store: Store, userId: string): Promise<ReadonlySet<string>> => {
  const running = await findRunning(store, userId);
  return new Set(
    running
      .filter(({ mode, status }) => mode === 'live' && !isFinalDeploymentStatus(status))
      .flatMap(({ account_id: id }) => id ?? []),
  );
};

/**
 * Stops the deployments that were made before a moment, and removes the connections that no deployment uses any more.
 *
 * @returns the number of those that have not ended.
 */
export const endRunning = async (
  runtime: Runtime,
  userId: string,
  before: string | undefined,
): Promise<number> => {
  const { store } = runtime;
  const running = await stopDeployments(runtime, userId, {
    by: 'user',
    reason: REASON,
    ...(before !== undefined && { deployedBefore: before }),
  });
  const used = await usedAccounts(store, userId);
  const isOld = ({ connected_at }: ExecutionConnection) => before === undefined || connected_at < before;
  const connections = (await findConnections(store, userId)).filter(isOld);
  const unused = connections.filter(({ account_id: id }) => !used.has(id));
  for (const connection of unused) await store.transact([removalWrite(connection)]);
  return running + connections.length - unused.length;
};
