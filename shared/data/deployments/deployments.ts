import * as z from 'zod';
import type { Starts } from '../../domain/deployments/daily-limits.ts';
import {
  ACTORS,
  DEPLOYMENT_PHASES,
  deploymentStateSchema,
  isFinalDeploymentStatus,
  STOP_REASONS,
} from '../../domain/deployments/deployment-states.ts';
import { ENGINES } from '../../domain/deployments/engines.ts';
import { CHANNELS, FREQUENCIES } from '../../domain/deployments/signal-frequency.ts';
import { openEnum, openEnumList } from '../../domain/open-enum.ts';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import { storedForm } from '../../domain/unknown-fields.ts';
import type { NumberedList } from '../numbered-list/numbered-list.ts';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, placeByKey, readable } from '../table/damaged-items.ts';
import type { Items } from '../table/items.ts';
import { bounded, keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import type { User } from '../users/users.ts';
import { unreadSchema } from './notifications.ts';
import { tradingFields } from './trading-record.ts';
import { waitsUntil } from './waiting-signals.ts';

const MAX_LAST_MATCHES = 20;

/** Schema of a command that pauses or halts a deployment. Only a command lifts it: a report of an engine does not. */
export const holdSchema = z.object({
  status: openEnum(['paused', 'halted'], 'halted'),
  by: openEnum(ACTORS, 'operator'),
  reason: z.string(),
  at: z.string(),
  /** The throw of a kill switch that halts the deployment. */
  throw_id: z.string().optional(),
  /** Set if positions are closed as well. */
  flatten: z.literal(true).optional(),
  /** Entries that an engine outside placed after the command; the owner was notified of each. */
  ignored: z.int().optional(),
});

/** Schema of a stop that the engine has not confirmed yet. */
export const stopSchema = z.object({
  by: openEnum(ACTORS, 'operator'),
  reason: z.string(),
  stop_reason: openEnum(STOP_REASONS, 'user'),
  flatten: z.boolean(),
  requested_at: z.string(),
  /** Time at which the deployment ends without the engine's word. */
  until: z.string(),
});

const common = {
  deployment_id: z.number(),
  user_id: z.string(),
  strategy_id: z.number(),
  strategy_name: z.string(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  /** Broker that reads its change events; a trading deployment trades there. */
  broker_id: z.number().optional(),
  ...deploymentStateSchema.shape,
  held: holdSchema.optional(),
  /** Number of the last recorded command to the accounts of a deployment that the hub runs. */
  last_hold: z.number().optional(),
  /** Stop that the engine has not confirmed yet. The deployment is halted meanwhile. */
  stopping: stopSchema.optional(),
  phase: openEnum(DEPLOYMENT_PHASES, 'waiting'),
  deployed_at: z.string(),
  started_at: z.string().optional(),
  stopped_at: z.string().optional(),
  expires_at: z.string().optional(),
  unread: unreadSchema,
  /** E-mails and text messages of the day, of a deployment that the hub runs or that takes signals. */
  sent: z.object({ day: z.string(), email: z.number(), sms: z.number() }).optional(),
  /** Increases with every change; conditions compare it with the version that was read. */
  version: z.number(),
  /** Absent: external. An unknown engine is not one that reports from outside. */
  engine: openEnum(ENGINES, 'hub').optional(),
  /** Set if instruments are of the demo market or of a replay, whose time is not that of the clock. */
  is_demo: z.literal(true).optional(),
  /** Readers of change events: the owner, and the broker of the deployment. Absent: its changes make no events. */
  listened: z.object({ user: z.literal(true).optional(), broker: z.literal(true).optional() }).optional(),
  /** Sequence of the last change event. */
  change_seq: z.number().optional(),
  /** Source of the engine that reported first; no other engine may report. */
  source: z.string().optional(),
} as const;

const notificationDeployment = z.object({
  ...common,
  kind: z.literal('notification'),
  channels: openEnumList(CHANNELS),
  frequency: openEnum(FREQUENCIES, 'every_signal'),
  last_signal: z
    .object({ side: z.enum(['buy', 'sell']), price: z.number().nullable(), at: z.string() })
    .optional(),
  signals_count: z.number(),
});

const scannerDeployment = z.object({
  ...common,
  kind: z.literal('scanner'),
  universe_id: z.string(),
  universe_name: z.string(),
  last_run_at: z.string().optional(),
  matches_count: z.number(),
  last_matches: z.array(z.object({ symbol: z.string(), price: z.number().nullable(), at: z.string() })),
});

const tradingDeployment = z.object({ ...common, kind: z.literal('live'), ...tradingFields });

const deploymentSchema = z.discriminatedUnion('kind', [
  notificationDeployment,
  scannerDeployment,
  tradingDeployment,
]);

export type Deployment = z.output<typeof deploymentSchema>;
export type NotificationDeployment = z.output<typeof notificationDeployment>;
export type ScannerDeployment = z.output<typeof scannerDeployment>;
export type TradingDeployment = z.output<typeof tradingDeployment>;
export type DeploymentKind = Deployment['kind'];

/** Returns whether the hub itself runs a deployment. */
export const isHubRun = ({ engine }: Pick<Deployment, 'engine'>): boolean =>
  engine === 'hub' || engine === 'signals';

/** Returns whether the hub runs a deployment with real orders. Such a deployment lives in the time of the clock. */
export const hasRealOrders = (
  deployment: Deployment,
): deployment is TradingDeployment & { readonly mode: 'live' } =>
  isHubRun(deployment) && deployment.kind === 'live' && deployment.mode === 'live';

/** Returns whether a deployment lives in the time of its bars: the hub runs it, and no broker fills its orders. */
export const livesInBars = (deployment: Deployment): boolean =>
  isHubRun(deployment) && !hasRealOrders(deployment);

/** Returns whether signals place the orders of a deployment, which the hub fills on paper. */
export const takesSignals = ({ engine }: Pick<Deployment, 'engine'>): boolean => engine === 'signals';

/** Index partition of deployments that expire, sorted by expiry. */
export const EXPIRY_KIND = 'deployment_expiry';

/** Parses an item as a deployment; undefined if there is no item. */
export const asDeployment = (item: Item | undefined): Deployment | undefined =>
  item && parseItem(deploymentSchema, item);

/** Returns the list of all deployments that a user ever made, of one kind or of all. */
export const deploymentList = (kind: DeploymentKind | 'all', userId: string): NumberedList => ({
  pk: `DEPLOYMENTS#${kind}#${bounded(userId)}`,
});

/** Entry of a list of deployments. */
export const deploymentEntrySchema = z.object({
  deployment_id: z.number(),
  /** Symbols of a trading deployment, so that their last prices are read together with it. */
  symbols: z.array(z.string()).optional(),
});

/** Returns the entry of a deployment for the lists of its owner. */
export const deploymentEntry = ({ deployment_id, kind, symbols }: Deployment) => ({
  entity: 'deployment_entry',
  deployment_id,
  ...(kind === 'live' && { symbols }),
});

/**
 * Reads deployments in the order of `ids`, with additional items, 100 items per call; omits unknown deployments.
 *
 * @param onDamaged takes the errors of damaged ones. Without it, they are errors.
 */
export const findDeploymentsWith = async (
  store: Store,
  ids: readonly number[],
  extraReads: readonly Key[],
  onDamaged?: OnDamaged,
): Promise<{ deployments: Deployment[]; items: Items }> => {
  if (ids.length + extraReads.length === 0) return { deployments: [], items: [] };
  const found = await store.getMany([...ids.map(keys.deployment), ...extraReads], { consistent: true });
  const stored = found.slice(0, ids.length);
  return {
    deployments: stored.flatMap((item) => readable(asDeployment, item, placeByKey, onDamaged) ?? []),
    items: found.slice(ids.length),
  };
};

/**
 * Reads deployments, 100 per call, and the ids of those that this version cannot read, so that one of them does not hide
 * the others; omits unknown ones.
 */
export const findReadable = async (
  store: Store,
  ids: readonly number[],
): Promise<{ deployments: Deployment[]; unreadable: number[] }> => {
  const items = ids.length === 0 ? [] : await store.getMany(ids.map(keys.deployment), { consistent: true });
  const deployments: Deployment[] = [];
  const unreadable: number[] = [];
  for (const [index, id] of ids.entries()) {
    try {
      const deployment = asDeployment(items[index]);
      if (deployment) deployments.push(deployment);
    } catch {
      // A change of it fails with the reason.
      unreadable.push(id);
    }
  }
  return { deployments, unreadable };
};

/** Reads deployments in the order of `ids`, 100 per call; omits unknown ones and those of a newer version. */
export const findDeployments = async (store: Store, ids: readonly number[]): Promise<Deployment[]> =>
  (await findDeploymentsWith(store, ids, [])).deployments;

/** Returns when a deployment ends without an event: at its expiry, or when a stop has not been confirmed in time; or when an order of a signal expires. */
const dueAt = (deployment: Deployment): number | undefined => {
  const { status, expires_at, stopping } = deployment;
  const ends = isFinalDeploymentStatus(status) ? [] : [expires_at, stopping?.until];
  const waits = deployment.kind === 'live' ? waitsUntil(deployment.waiting) : undefined;
  const due = [
    ...ends.flatMap((at) => (at === undefined ? [] : Date.parse(at))),
    ...(waits === undefined ? [] : [waits]),
  ];
  return due.length === 0 ? undefined : Math.min(...due);
};

/** Returns the stored form of a deployment. It is in the expiry index while something of it is due. */
const stored = (deployment: Deployment) => {
  const due_at = dueAt(deployment);
  return {
    ...keys.deployment(deployment.deployment_id),
    entity: 'deployment',
    ...deployment,
    ...(due_at !== undefined && { due_kind: EXPIRY_KIND, due_at }),
  };
};

/** Returns the attributes of the expiry index that change; undefined for those that are removed. */
const dueChange = (before: Deployment, after: Deployment): Item => {
  const [was, due_at] = [dueAt(before), dueAt(after)];
  if (was === due_at) return {};
  return due_at === undefined ? { due_kind: undefined, due_at } : { due_kind: EXPIRY_KIND, due_at };
};

/** Returns the write of a new deployment. */
export const newDeploymentWrite = (deployment: Deployment): Write => ({
  put: stored(deployment),
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Returns the attributes that differ; undefined for those that are gone. */
const changedAttributes = (before: Item, after: Item): Item => {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]),
  );
};

/**
 * Returns the write of the attributes that changed: an event changes few of them. Its condition fails if the
 * deployment changed since it was read.
 */
export const changedDeploymentWrite = (before: Deployment, after: Deployment): Write => ({
  key: keys.deployment(before.deployment_id),
  set: {
    ...changedAttributes(storedForm(before), storedForm(after)),
    ...dueChange(before, after),
    version: before.version + 1,
  },
  if: { condition: 'version = :version', values: { ':version': before.version } },
});

/** Returns the newest matches of a scanner, at most 20. */
export const latestMatches = (
  before: ScannerDeployment['last_matches'],
  matches: ScannerDeployment['last_matches'],
): ScannerDeployment['last_matches'] => [...matches, ...before].slice(0, MAX_LAST_MATCHES);

/**
 * Returns the write that counts an active deployment of a user. Its condition fails at the plan's limit.
 *
 * @param starts count of the day with this deployment; undefined if an engine outside runs it.
 */
export const takeDeploySlot = (
  {
    user_id,
    starts: before,
    limits_rev: rev,
    listens_since,
    made_since,
  }: Pick<User, 'user_id' | 'starts' | 'limits_rev' | 'listens_since' | 'made_since'>,
  limit: number,
  starts: Starts | undefined,
): Write => {
  const step = { ':one': 1, ':limit': limit, ...(rev !== undefined && { ':rev': rev }) };
  // A change of the user's limits or listening, and a proof of the e-mail, must not miss a deployment that begins meanwhile.
  const isSame = [
    rev === undefined ? 'attribute_not_exists(limits_rev)' : 'limits_rev = :rev',
    `${listens_since === undefined ? 'attribute_not_exists' : 'attribute_exists'}(listens_since)`,
    `${made_since === undefined ? 'attribute_not_exists' : 'attribute_exists'}(made_since)`,
  ].join(' AND ');
  if (!starts) {
    return {
      key: keys.user(user_id),
      update: 'SET deploy_used = deploy_used + :one',
      condition: `deploy_used < :limit AND ${isSame}`,
      values: step,
    };
  }
  return {
    key: keys.user(user_id),
    update: 'SET deploy_used = deploy_used + :one, starts = :starts',
    condition: `deploy_used < :limit AND ${isSame} AND ${before ? 'starts = :before' : 'attribute_not_exists(starts)'}`,
    values: { ...step, ':starts': starts, ...(before && { ':before': before }) },
  };
};

/**
 * Returns the write that uncounts a deployment that ended. Has no lower bound: a wrong count must not prevent a
 * deployment from ending; reconciliation corrects it.
 */
export const freeDeploySlot = (userId: string): Write => ({
  key: keys.user(userId),
  update: 'SET deploy_used = deploy_used - :one',
  condition: 'attribute_exists(pk)',
  values: { ':one': 1 },
});
