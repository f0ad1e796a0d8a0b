import * as z from 'zod';
import {
  DEPLOYMENT_PHASES,
  deploymentStateSchema,
  isFinalDeploymentStatus,
} from '../../domain/deployments/deployment-states.ts';
import { CHANNELS, FREQUENCIES } from '../../domain/deployments/signals.ts';
import { openEnum, openEnumList } from '../../domain/open-enum.ts';
import { TIMEFRAMES } from '../../domain/strategies/strategies.ts';
import type { NumberedList } from '../numbered-list/numbered-list.ts';
import { bounded, keys } from '../table/keys.ts';
import { unlessNewer } from '../table/newer-record.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store, Write } from '../table/store.ts';
import { unreadSchema } from './notifications.ts';
import { tradingFields } from './trading-record.ts';

const MAX_LAST_MATCHES = 20;

const common = {
  deployment_id: z.number(),
  user_id: z.string(),
  strategy_id: z.number(),
  strategy_name: z.string(),
  symbols: z.array(z.string()),
  timeframe: z.enum(TIMEFRAMES),
  ...deploymentStateSchema.shape,
  phase: openEnum(DEPLOYMENT_PHASES, 'waiting'),
  deployed_at: z.string(),
  started_at: z.string().optional(),
  stopped_at: z.string().optional(),
  expires_at: z.string().optional(),
  unread: unreadSchema,
  /** Grows with every change: what was read decides only while it is what is there. */
  version: z.number(),
  /** The source of the engine that reported first: no other engine may report. */
  source: z.string().optional(),
  /** Digests of events that were taken before they became items of their own. Nothing is added any more. */
  seen: z.array(z.string()),
} as const;

const notificationDeployment = z.object({
  ...common,
  kind: z.literal('notification'),
  channels: openEnumList(CHANNELS),
  frequency: openEnum(FREQUENCIES, 'every_signal'),
  last_signal: z
    .object({ side: z.enum(['buy', 'sell']), price: z.number().nullable(), at: z.string() })
    .optional(),
  /** When a signal was last told; the frequency counts from it. */
  told_at: z.string().optional(),
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

const liveDeployment = z.object({ ...common, kind: z.literal('live'), ...tradingFields });

const deploymentSchema = z.discriminatedUnion('kind', [
  notificationDeployment,
  scannerDeployment,
  liveDeployment,
]);

export type Deployment = z.output<typeof deploymentSchema>;
export type NotificationDeployment = z.output<typeof notificationDeployment>;
export type ScannerDeployment = z.output<typeof scannerDeployment>;
export type TradingDeployment = z.output<typeof liveDeployment>;
export type DeploymentKind = Deployment['kind'];

/** The index partition of what expires, sorted by when. */
export const EXPIRY_KIND = 'deployment_expiry';

/** Parses an item of the table as a deployment; undefined where there is none. */
export const asDeployment = (item: Record<string, unknown> | undefined): Deployment | undefined =>
  item && parseItem(deploymentSchema, item);

/** Every deployment that a user ever made: those of a kind, or all. */
export const deploymentList = (kind: DeploymentKind | 'all', userId: string): NumberedList => ({
  pk: `DEPLOYMENTS#${kind}#${bounded(userId)}`,
});

/** What a list of deployments keeps of each. */
export const deploymentEntrySchema = z.object({ deployment_id: z.number() });

/** Reads deployments by id, in order, up to a hundred in one call; drops what is gone, or is a newer version's. */
export const findDeployments = async (store: Store, ids: readonly number[]): Promise<Deployment[]> => {
  if (ids.length === 0) return [];
  const items = await store.getMany(ids.map(keys.deployment), { consistent: true });
  return items.flatMap((item) => unlessNewer(() => asDeployment(item)) ?? []);
};

/** The stored form of a deployment: due in the index of what expires as long as it runs and has a time to. */
const stored = (deployment: Deployment) => ({
  ...keys.deployment(deployment.deployment_id),
  entity: 'deployment',
  ...deployment,
  ...(!isFinalDeploymentStatus(deployment.status) &&
    deployment.expires_at !== undefined && {
      due_kind: EXPIRY_KIND,
      due_at: Date.parse(deployment.expires_at),
    }),
});

/** Writes a new deployment. */
export const newDeploymentWrite = (deployment: Deployment): Write => ({
  put: stored(deployment),
  if: { condition: 'attribute_not_exists(pk)' },
});

/** Writes a changed deployment over what was read; refused where something else changed it since. */
export const changedDeploymentWrite = (before: Deployment, after: Deployment): Write => ({
  put: stored({ ...after, version: before.version + 1 }),
  if: { condition: 'version = :version', values: { ':version': before.version } },
});

/** The matches that a scanner shows: the newest, at most twenty. */
export const latestMatches = (
  before: ScannerDeployment['last_matches'],
  matches: ScannerDeployment['last_matches'],
): ScannerDeployment['last_matches'] => [...matches, ...before].slice(0, MAX_LAST_MATCHES);

/** Counts an active deployment of a user; refused at the plan's limit. */
export const takeDeploySlot = (userId: string, limit: number): Write => ({
  key: keys.user(userId),
  update: 'SET deploy_used = deploy_used + :one',
  condition: 'deploy_used < :limit',
  values: { ':one': 1, ':limit': limit },
});

/**
 * Gives the place of a deployment that ended back. Whatever the count says: one that has drifted must keep
 * nobody from ending a deployment, and is put right when lists are reconciled.
 */
export const freeDeploySlot = (userId: string): Write => ({
  key: keys.user(userId),
  update: 'SET deploy_used = deploy_used - :one',
  condition: 'attribute_exists(pk)',
  values: { ':one': 1 },
});
