import * as z from 'zod';
import { holdsSession, invalidSession } from '../../shared/api/authenticate.ts';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { extensionRecord } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownUser, upstreamFailed } from '../../shared/api/refusals.ts';
import { sealKeys } from '../../shared/auth/execution-connections.ts';
import { heldSession } from '../../shared/callers/open-session.ts';
import type { ExecutionAdapter } from '../../shared/channels/execution/execution-adapter.ts';
import {
  AccessRefusedError,
  type BrokerAccount,
  type BrokerKeys,
  BrokerLaterError,
  EXECUTION_ENVIRONMENTS,
} from '../../shared/channels/execution/execution-broker.ts';
import { PATIENCE_MS, UpstreamDownError } from '../../shared/channels/upstream.ts';
import {
  COMPARE_MS,
  connectionWrite,
  type ExecutionConnection,
  findConnections,
  MAX_CONNECTIONS,
} from '../../shared/data/execution/connections.ts';
import { retryOnConflict } from '../../shared/data/numbered-list/retry.ts';
import { type Budget, budgetOf, isSpent, spend } from '../../shared/data/table/budgets.ts';
import { type Items, itemWith } from '../../shared/data/table/items.ts';
import { keys as tableKeys } from '../../shared/data/table/keys.ts';
import { asUser } from '../../shared/data/users/users.ts';
import { ADAPTERS, type AdapterName } from '../../shared/domain/deployments/event-source.ts';
import { ADAPTER_FACTS } from '../../shared/domain/orders/execution-adapters.ts';
import { textId } from '../../shared/ids.ts';
import { changeConnection, connectionChangeKeys } from './audit-connection.ts';
import { executionConnectionOut, presentConnection } from './records/execution-connection.ts';
import { requireOwner } from './require-owner.ts';

/** Printable text without spaces, as a header can hold it. */
const keyText = z.string().regex(/^[\x21-\x7e]{8,128}$/);

const connectionIn = extensionRecord(
  'ExecutionConnectionIn',
  z.object({
    adapter: z.enum(ADAPTERS),
    environment: z.enum(EXECUTION_ENVIRONMENTS),
    key_id: keyText,
    secret: keyText,
  }),
);

/** Loads the code of an adapter, with the first request that needs it. */
const LOADERS: Readonly<Record<AdapterName, () => Promise<ExecutionAdapter>>> = {
  alpaca: async () => (await import('../../shared/channels/execution/alpaca.ts')).alpaca,
  binance: async () => (await import('../../shared/channels/execution/binance/binance.ts')).binance,
};

const tooManyRefused = (endsAt: number, now: Date): HubError =>
  new HubError('too_many_attempts', 'Brokers refused too many keys. Try again later.', {
    retryAfterS: (endsAt - now.getTime()) / 1000,
  });

/** Reads the account that keys belong to. Refused keys use the budget. @throws HubError */
const readAccount = async (
  call: Call,
  { adapter: name, environment }: z.output<typeof connectionIn>,
  keys: BrokerKeys,
  budget: Budget,
): Promise<BrokerAccount> => {
  const { title } = ADAPTER_FACTS[name];
  const adapter = await LOADERS[name]();
  const addresses = call.capability('execution');
  const { clock } = call;
  try {
    const broker = await adapter.open({ keys, environment, addresses, clock, patienceMs: PATIENCE_MS });
    return await broker.account();
  } catch (error) {
    if (error instanceof AccessRefusedError) {
      await spend(call.store, budget);
      throw new HubError(
        'broker_keys_refused',
        `${title} refuses these keys. Check that they are complete, not reset, and of this environment.`,
      );
    }
    throw error instanceof BrokerLaterError ? upstreamFailed(new UpstreamDownError(title, error)) : error;
  }
};

/** Checks that a user may connect one more account, or connects the same one again. @throws HubError */
const requireRoom = async (
  { store }: Call,
  { user_id: userId, account_id: accountId }: ExecutionConnection,
): Promise<void> => {
  const connections = await findConnections(store, userId);
  const others = connections.filter(({ account_id: id }) => id !== accountId);
  if (others.length < MAX_CONNECTIONS) return;
  throw new HubError('quota_reached', `You can connect ${MAX_CONNECTIONS} accounts. Disconnect one first.`);
};

export const connectExecution = defineOperation({
  method: 'POST',
  path: '/connect_execution',
  name: 'connect_execution',
  summary: 'Connect an account for real orders',
  description:
    'Checks the keys at the broker at once and stores them encrypted; no answer ever shows them. `account_id` of the answer names the account for /deploy_live_strategy. Connecting the same account again replaces its keys. The user is notified by all channels. Always requires the session of the user. A user connects at most 10 accounts. Ten refused pairs of keys from an address in an hour lead to 429.',
  caller: 'user',
  proven: true,
  stepUp: 'always',
  waits: true,
  extension: true,
  limits: { body: 4 * 1024 },
  input: { query: z.object({ user_id: z.string() }), json: connectionIn },
  output: executionConnectionOut,
  errors: [
    'session_required',
    'platform_token_insufficient',
    'user_unknown',
    'too_many_attempts',
    'broker_keys_refused',
    'broker_account_blocked',
    'quota_reached',
    'upstream_failed',
    'changed_meanwhile',
  ],
  table: 'write',
  uses: ['execution', 'encryption'],
  handler: async ({ query: { user_id: userId }, json }, call) => {
    requireOwner(call);
    const budget = budgetOf(await call.keyRing(), 'execution_keys', [call.network], call.now);
    const user = tableKeys.user(userId);
    const items = await call.store.getMany([budget.key, ...connectionChangeKeys(userId)], {
      consistent: true,
    });
    if (!itemWith(items, user)) throw unknownUser();
    if (isSpent(itemWith(items, budget.key), budget)) throw tooManyRefused(budget.endsAt, call.now);
    const keys = { keyId: json.key_id, secret: json.secret };
    const { accountId, currency, blocked } = await readAccount(call, json, keys, budget);
    if (blocked !== undefined) throw new HubError('broker_account_blocked', blocked);
    const connectionId = textId(call.random);
    const at = call.now.toISOString();
    const connection = {
      connection_id: connectionId,
      user_id: userId,
      adapter: json.adapter,
      environment: json.environment,
      account_id: accountId,
      currency,
      status: 'connected' as const,
      sealed: await sealKeys(call, connectionId, keys),
      connected_at: at,
      status_at: at,
      due_at: call.now.getTime() + COMPARE_MS,
    };
    let trail: Items | undefined = items;
    await retryOnConflict(async () => {
      const known = trail ?? (await call.store.getMany(connectionChangeKeys(userId), { consistent: true }));
      trail = undefined;
      if (!holdsSession(asUser(itemWith(known, user)), heldSession(call).sid, call.now))
        throw invalidSession();
      // Another request that connects an account changes the lists read before, so this attempt fails then.
      await requireRoom(call, connection);
      await changeConnection(call, 'execution_connected', connection, connectionWrite(connection), known);
    });
    return presentConnection(connection);
  },
});
