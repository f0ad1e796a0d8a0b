import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import { ownStrategyIdOf } from '../../../shared/api/own-names.ts';
import { requireOwnSession } from '../../../shared/api/own-session.ts';
import { archivedStrategy, thrownKillSwitch } from '../../../shared/api/refusals.ts';
import { sameSecret } from '../../../shared/auth/key-ring.ts';
import { activeDeploymentWrite, activeWatcherWrite } from '../../../shared/data/books/active-deployments.ts';
import { listenedBy, listeningKey } from '../../../shared/data/changes/listeners.ts';
import {
  type Deployment,
  deploymentEntry,
  deploymentList,
  newDeploymentWrite,
  takeDeploySlot,
} from '../../../shared/data/deployments/deployments.ts';
import { domainEvent } from '../../../shared/data/deployments/domain-events.ts';
import {
  marksIn,
  notificationHeadKey,
  type ReadMarks,
} from '../../../shared/data/deployments/notifications.ts';
import { ENGINE_REQUESTED, engineEvent } from '../../../shared/data/engine/events.ts';
import { deploymentSetupWrite } from '../../../shared/data/engine/setups.ts';
import { commit, editKeys, ListEdit } from '../../../shared/data/numbered-list/list-edit.ts';
import { retryOnConflict } from '../../../shared/data/numbered-list/retry.ts';
import { outboxWrite } from '../../../shared/data/outbox/outbox.ts';
import { countWrites } from '../../../shared/data/strategies/counts.ts';
import { asStrategy, isKeyEnded, type Strategy } from '../../../shared/data/strategies/strategies.ts';
import {
  counts,
  type Tallied,
  tallyKey,
  tallyWrite,
} from '../../../shared/data/strategies/strategy-tallies.ts';
import { switchChecks } from '../../../shared/data/switches/switch-checks.ts';
import { switchesIn, switchKeys, thrownSwitch } from '../../../shared/data/switches/switches.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key, Write } from '../../../shared/data/table/writes.ts';
import { asUser, type User } from '../../../shared/data/users/users.ts';
import { oneMoreStart } from '../../../shared/domain/deployments/daily-limits.ts';
import { requestedDeployment } from '../../../shared/domain/deployments/deployment-states.ts';
import { deployLimit, startLimit } from '../../../shared/domain/plans.ts';
import { strategyIdOf } from '../../../shared/domain/strategies/strategy-keys.ts';
import { integerId, textId } from '../../../shared/ids.ts';
import { deploymentDraft } from '../../../shared/lifecycle/change-drafts.ts';
import { recordChanges } from '../../../shared/lifecycle/record-changes.ts';
import { ownBrokerOf } from '../accounts/own-broker.ts';
import type { HubRun } from './hub-run.ts';

const unknownKey = (): HubError =>
  new HubError('strategy_unknown', 'There is no strategy with this deploy key.');

/** Requires a session. Its owner is checked when the strategy is read. @throws HubError session_required */
export const requireOwnerSession = ({ session }: Call, detail: string): void => {
  if (!session) throw new HubError('session_required', detail);
};

/**
 * Reads the strategy of a deploy key, or of the session's user by `strategy:<strategy_id>`, and additional items.
 *
 * @throws HubError strategy_unknown, session_required, platform_token_insufficient, session_mismatch
 */
const readNamed = async (call: Call, keygen: string, extraReads: readonly Key[]) => {
  const ownId = ownStrategyIdOf(keygen);
  if (ownId !== undefined) {
    requireOwnSession(call, 'Sign in to deploy a strategy by its id.', 'deploys no strategy by its id');
  }
  const id = ownId ?? strategyIdOf(keygen);
  if (id === undefined) throw unknownKey();
  const items = await call.store.getMany([keys.strategy(id), ...extraReads], { consistent: true });
  const strategy = asStrategy(itemWith(items, keys.strategy(id)));
  if (!strategy) throw unknownKey();
  const isNamed =
    ownId === undefined ? sameSecret(strategy.keygen, keygen) : strategy.user_id === call.session?.userId;
  if (!isNamed) throw unknownKey();
  if (call.session && call.session.userId !== strategy.user_id) {
    throw new HubError('session_mismatch', 'The session does not belong to the owner of this deploy key.');
  }
  return { strategy, items };
};

/** Finds the owner of a strategy, who is not about to leave and has not ended the key. @throws HubError strategy_unknown */
const ownerIn = (items: Items, strategy: Strategy, keygen: string): User => {
  const user = asUser(itemWith(items, keys.user(strategy.user_id)));
  if (!user || user.deletion) throw unknownKey();
  if (ownStrategyIdOf(keygen) === undefined && isKeyEnded(strategy, user)) throw unknownKey();
  return user;
};

/** Checks that a key still deploys its strategy. @throws HubError as {@link readNamed} */
export const requireDeployKey = async (call: Call, keygen: string): Promise<void> => {
  const { strategy } = await readNamed(call, keygen, []);
  ownerIn(await call.store.getMany([keys.user(strategy.user_id)], { consistent: true }), strategy, keygen);
};

/** Reads what is to be deployed. @throws HubError strategy_archived, and as {@link readNamed} */
const readToDeploy = async (call: Call, keygen: string, extraReads: readonly Key[]) => {
  const read = await readNamed(call, keygen, extraReads);
  if (read.strategy.status === 'archived') throw archivedStrategy();
  return read;
};

/** Counts and records the request of a deployment for its listeners. */
const recordRequest = <D extends Deployment>(
  call: Call,
  deployment: D,
): { readonly deployment: D; readonly writes: readonly Write[] } => {
  const { listened } = deployment;
  if (!listened) return { deployment, writes: [] };
  const drafts = [deploymentDraft('deployment.requested', deployment, { notifications: [] })];
  return recordChanges(call, { deployment, listened }, drafts, call.now);
};

const brokerKeys = (brokerId: number): Key[] => [
  keys.brokerSwitch(brokerId),
  listeningKey({ broker_id: brokerId }),
];

/** Reads the kill switch of a broker, and whether it listens. */
const readBroker = (call: Call, brokerId: number | undefined): Promise<Items> =>
  brokerId === undefined
    ? Promise.resolve([])
    : call.store.getMany(brokerKeys(brokerId), { consistent: true });

const isListening = (items: Items, brokerId: number): boolean =>
  itemWith(items, listeningKey({ broker_id: brokerId })) !== undefined;

/** Items that a deployment is made from. */
interface Origin {
  readonly strategy: Strategy;
  readonly user: User;
  /** Everything that was read, with the items of the additional keys. */
  readonly items: Items;
  /** True if the hub runs the deployment: the strategy has rules, or signals run it. */
  readonly isHubRun: boolean;
}

/** A new deployment, with what the hub's engine does for it, if it runs it. */
interface Made<D extends Deployment> {
  readonly deployment: D;
  readonly run: HubRun | undefined;
}

/** Requirements of one kind of deployment. */
interface Plan<D extends Deployment> {
  readonly keygen: string;
  readonly kind: D['kind'];
  /** True if signals run a strategy without rules from the beginning. */
  readonly isForSignals?: boolean;
  /** Broker that the caller names; otherwise the user's own. */
  readonly brokerId?: number | undefined;
  /** Keys to read with the strategy, and keys that depend on it. */
  readonly extraReads?: readonly Key[];
  readonly extraReadsFor?: (
    strategy: Strategy,
    items: Items,
    run: { readonly isHubRun: boolean },
  ) => readonly Key[];
  /** Additional writes of the transaction. */
  readonly extraWrites?: (deployment: D) => readonly Write[];
}

/**
 * Deploys a strategy for its owner. One transaction writes the deployment, its place in the owner's list, the
 * counts of plan and strategy, and the event for the engine: the hub's own for a strategy with rules, else those outside.
 *
 * @param make says what the deployment is, from what was read. It throws what does not fit.
 */
export const deploy = async <D extends Deployment>(
  call: Call,
  {
    keygen,
    kind,
    isForSignals = false,
    brokerId: asked,
    extraReads = [],
    extraReadsFor = () => [],
    extraWrites = () => [],
  }: Plan<D>,
  make: (
    origin: Origin,
    base: ReturnType<typeof baseOf> & { readonly broker_id?: number },
  ) => Made<D> | Promise<Made<D>>,
): Promise<{ deployment: D; marks: ReadMarks }> =>
  retryOnConflict(async () => {
    const { strategy, items: first } = await readToDeploy(call, keygen, extraReads);
    const isHubRun = strategy.rules_hash !== undefined || isForSignals;
    const lists = [deploymentList(kind, strategy.user_id), deploymentList('all', strategy.user_id)];
    const items = await call.store.getMany(
      [
        keys.user(strategy.user_id),
        notificationHeadKey(strategy.user_id),
        ...lists.flatMap((list) => editKeys(list)),
        ...switchKeys({ user_id: strategy.user_id }),
        ...sourceKeys(strategy),
        ...extraReadsFor(strategy, first, { isHubRun }),
      ],
      { consistent: true },
    );
    const user = ownerIn(items, strategy, keygen);
    const brokerId = asked ?? ownBrokerOf(user, strategy);
    // Only what trades at a broker is under its switch.
    const scope = { user_id: strategy.user_id, broker_id: kind === 'live' ? brokerId : undefined };
    const brokerItems = await readBroker(call, brokerId);
    const switches = switchesIn([...items, ...brokerItems], scope);
    const thrown = thrownSwitch(switches);
    if (thrown) throw thrownKillSwitch(thrown);
    const limit = deployLimit(user.plan);
    if (user.deploy_used >= limit) {
      throw new HubError(
        'quota_reached',
        call.session
          ? `Your plan allows ${limit} active deployments. Stop one, or change the plan.`
          : 'The plan allows no further active deployment. Stop one, or change the plan.',
      );
    }
    const starts = isHubRun ? oneMoreStart(user.starts, call.now) : undefined;
    if (starts && starts.count > startLimit(user.plan)) {
      throw new HubError(
        'quota_reached',
        'The plan allows no further deployment of a strategy with rules today (UTC).',
      );
    }
    const marks = marksIn(itemWith(items, notificationHeadKey(strategy.user_id)));
    const made = await make(
      { strategy, user, items: [...first, ...items], isHubRun },
      {
        ...baseOf(call, strategy, marks),
        ...(brokerId !== undefined && { broker_id: brokerId }),
      },
    );
    const { run } = made;
    const listened = listenedBy(
      {
        user: user.listens_since !== undefined,
        broker: brokerId !== undefined && isListening(brokerItems, brokerId),
      },
      undefined,
    );
    const requested: D = { ...made.deployment, ...run?.fields, ...(listened && { listened }) };
    const { deployment, writes: changeWrites } = recordRequest(call, requested);
    const edits = lists.map((list) => new ListEdit(list, items));
    for (const edit of edits) {
      edit.append(deploymentEntry(deployment));
    }
    await commit(call.store, edits, [
      newDeploymentWrite(deployment),
      ...(run ? [deploymentSetupWrite(deployment.deployment_id, run.setup)] : []),
      ...extraWrites(deployment),
      kind === 'live' ? activeDeploymentWrite(deployment) : activeWatcherWrite(deployment),
      takeDeploySlot(user, limit, starts),
      ...switchChecks(switches),
      ...changeWrites,
      {
        // Refuses a key that was rotated, and a strategy that was archived, after the read.
        check: keys.strategy(strategy.strategy_id),
        if: {
          condition: 'keygen = :keygen AND #status <> :archived',
          names: { '#status': 'status' },
          values: { ':keygen': strategy.keygen, ':archived': 'archived' },
        },
      },
      ...sourceWrites(strategy, user, items),
      outboxWrite(
        textId(call.random),
        run
          ? engineEvent(ENGINE_REQUESTED, deployment.deployment_id)
          : domainEvent('Deployment Requested', deployment, call.now),
        call.now,
      ),
    ]);
    return { deployment, marks };
  });

const deployerOf = ({ user_id }: Strategy, strategyId: number): Tallied => ({
  kind: 'deployment',
  strategyId,
  userId: user_id,
});

/** Returns the keys of the source of a copy, and of the item that counts its deployment there. */
const sourceKeys = (strategy: Strategy): Key[] => {
  const { parent_strategy_id: source } = strategy;
  return source === undefined ? [] : [keys.strategy(source), tallyKey(deployerOf(strategy, source))];
};

/** Returns the writes that count the first deployment of a copy at its source: a user counts once, and not the author. */
const sourceWrites = (strategy: Strategy, user: User, items: Items): Write[] => {
  const { parent_strategy_id: id } = strategy;
  if (id === undefined) return [];
  const source = asStrategy(itemWith(items, keys.strategy(id)));
  const deployer = deployerOf(strategy, id);
  if (!source || source.user_id === user.user_id || itemWith(items, tallyKey(deployer))) return [];
  const isCounted = counts(user, source);
  return [
    tallyWrite(deployer, undefined, isCounted),
    ...(isCounted ? countWrites(source, 'deployment', 1) : []),
  ];
};

const baseOf = (call: Call, strategy: Strategy, marks: ReadMarks) => ({
  deployment_id: integerId(call.now, call.random),
  user_id: strategy.user_id,
  strategy_id: strategy.strategy_id,
  strategy_name: strategy.strategy_name,
  symbols: strategy.symbols,
  timeframe: strategy.timeframe,
  ...requestedDeployment(call.now.getTime()),
  phase: 'waiting' as const,
  deployed_at: call.now.toISOString(),
  unread: { mark: marks.mark_number, count: 0 },
  version: 1,
});
