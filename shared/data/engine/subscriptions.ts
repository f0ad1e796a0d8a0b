import * as z from 'zod';
import { accountSettingsSchema } from '../../domain/engine/account/stored-settings.ts';
import { splitSchema } from '../../domain/splits/ratio.ts';
import type { Item } from '../table/attributes.ts';
import { type Items, itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Condition, Key, Write } from '../table/writes.ts';
import { inputSchema, refusalSchema } from './inputs.ts';
import { storedUsedBars, usedBarsSchema } from './used-bars.ts';

/** Decisions that are kept for the owner. */
const MAX_DECISIONS = 10;

const common = {
  program_id: z.string(),
  deployment_id: z.number(),
  symbol: z.string(),
  /** Start of the bar after which the deployment began. */
  joined_at: z.number(),
  /** Reason for which the deployment is skipped. */
  error: z.string().optional(),
  /** Set while it cannot be served: time since then, and start of the last bar of its account then. Void once that moved. */
  failing: z.object({ since: z.number(), at: z.number().optional() }).optional(),
  /** Increases with every change; conditions compare it with the one that was read. */
  rev: z.int(),
} as const;

const decisionSchema = z.object({ at: z.number(), text: z.string() });

const accountSubSchema = z.object({
  ...common,
  kind: z.enum(['F', 'A']),
  /** Set if a broker fills the orders of the account. */
  is_live: z.literal(true).optional(),
  /** Number of the last command that the account has applied, or of the last input of one with real orders; later ones are read by number. */
  seen_inputs: z.int().optional(),
  /** Start of the last bar that the account was advanced by. */
  at: z.number(),
  /** Terms of the account, and its saved state: empty before the first bar of a series that had none. */
  paper: packed(z.object({ settings: accountSettingsSchema, saved: z.string() })),
  /** Decisions of the owner that the account has not applied yet; absent without any. */
  inputs: z.array(inputSchema).optional(),
  /** Entries that risk limits refuse, until the account has cancelled them; absent without any. */
  refused: z.array(refusalSchema).optional(),
  /** Start of the first bar in new units, at the last split that the account was restated at; absent without any. */
  split_at: z.number().optional(),
  /** Revision of the risk limits that the account is watched by; absent without limits. */
  watched: z.int().optional(),
  /** Last decisions with their reasons, oldest first. */
  decisions: z.array(decisionSchema),
  /**
   * Set while a part of the reports is booked: start of the last bar, and whether entries were allowed. A repeat then
   * reports the same.
   */
  booking: z
    .object({
      end: z.number(),
      entries: z.boolean(),
      /** Set if the reports restate the account after the bar: the split, and the close of the newest bar before it. */
      split: splitSchema.extend({ close: z.number() }).optional(),
      /** Of an account with real orders: the last input, the state of the deployment, and the oldest bar for orders. */
      live: z
        .object({
          inputs: z.int(),
          state: z.enum(['active', 'paused', 'halted', 'ended']),
          flatten: z.boolean(),
          fresh_from: z.number(),
          /** True if its broker does not hold the position. */
          is_missing: z.literal(true).optional(),
        })
        .optional(),
    })
    .optional(),
  /** Set with `booking` if smaller bars decided about the fills of its last bar. */
  used: usedBarsSchema.optional(),
});

const noticeSubSchema = z.object({ ...common, kind: z.literal('N') });

const subSchema = z.discriminatedUnion('kind', [accountSubSchema, noticeSubSchema]);

/** Paper account of a deployment that a program works for: `F` flat, `A` with a trade or an order. */
export type AccountSub = z.output<typeof accountSubSchema>;

/** Notification deployment that a program works for. */
type NoticeSub = z.output<typeof noticeSubSchema>;

/** A deployment that a program works for. Times are starts of bars in milliseconds. */
export type Sub = AccountSub | NoticeSub;

/** Decision of an account, for its owner. */
export type StoredDecision = z.output<typeof decisionSchema>;

/** Returns the key of a subscription. */
export const subKey = ({ program_id, kind, deployment_id }: Sub): Key =>
  keys.subscriber(program_id, kind, deployment_id);

/** Returns the keys under which a deployment may subscribe to a program. */
export const subKeys = (programId: string, deploymentId: number): Key[] => {
  const kinds: readonly Sub['kind'][] = ['F', 'A', 'N'];
  return kinds.map((kind) => keys.subscriber(programId, kind, deploymentId));
};

/** Parses an item as a subscriber; undefined if there is no item. */
const asSub = (item: Item | undefined): Sub | undefined => item && parseItem(subSchema, item);

/** Returns the subscription among items read at {@link subKeys}; undefined if there is none. */
export const subIn = (items: Items, programId: string, deploymentId: number): Sub | undefined =>
  asSub(
    subKeys(programId, deploymentId)
      .map((key) => itemWith(items, key))
      .find((item) => item !== undefined),
  );

/** Reads the subscription of a deployment; undefined if there is none. */
export const readSub = async (
  store: Store,
  programId: string,
  deploymentId: number,
): Promise<Sub | undefined> => {
  const items = await store.getMany(subKeys(programId, deploymentId), { consistent: true });
  return subIn(items, programId, deploymentId);
};

/** A page of subscribers. */
export interface SubsPage {
  readonly subs: readonly Sub[];
  /** Those that cannot be read, also those that only a newer version can read. */
  readonly failures: readonly { readonly sk: string; readonly error: unknown }[];
  /** Sort key of the last one; undefined if no page follows. */
  readonly last: string | undefined;
}

/** Reads a page of the subscribers of a kind, those after the sort key `after`. */
export const findSubs = async (
  store: Store,
  programId: string,
  kind: Sub['kind'],
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<SubsPage> => {
  const first = keys.subscriber(programId, kind, '');
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': first.pk,
      ':from': after === undefined ? first.sk : `${after}~`,
      ':to': `${kind}~`,
    },
    ConsistentRead: true,
    Limit: limit,
  });
  const subs: Sub[] = [];
  const failures: SubsPage['failures'][number][] = [];
  for (const item of items) {
    try {
      subs.push(parseItem(subSchema, item));
    } catch (error) {
      failures.push({ sk: String(item.sk), error });
    }
  }
  return { subs, failures, last: items.length < limit ? undefined : String(items.at(-1)?.sk) };
};

/** Returns whether a program works for any deployment, or for any scanner. */
export const hasSubs = async (store: Store, programId: string, kind?: 'S'): Promise<boolean> => {
  const first = keys.subscriber(programId, kind ?? 'F', '');
  const items = await store.queryItems({
    KeyConditionExpression: kind ? 'pk = :pk AND begins_with(sk, :sk)' : 'pk = :pk',
    ExpressionAttributeValues: { ':pk': first.pk, ...(kind && { ':sk': first.sk }) },
    ProjectionExpression: 'pk',
    ConsistentRead: true,
    Limit: 1,
  });
  return items.length > 0;
};

const stored = (sub: Sub): Item => ({
  ...sub,
  ...subKey(sub),
  entity: 'engine_sub',
  ...(sub.kind !== 'N' && { paper: pack(sub.paper), ...(sub.used && { used: storedUsedBars(sub.used) }) }),
});

/** Returns the writes of a new subscription. Fail if the deployment has one already. */
export const newSubWrites = (sub: Sub): Write[] => [
  { put: stored(sub), if: { condition: 'attribute_not_exists(pk)' } },
  ...(sub.kind === 'N'
    ? []
    : [
        {
          check: subKey({ ...sub, kind: sub.kind === 'F' ? 'A' : 'F' }),
          if: { condition: 'attribute_not_exists(pk)' },
        },
      ]),
];

const unchangedSince = ({ rev }: Sub): Condition => ({ condition: 'rev = :rev', values: { ':rev': rev } });

/**
 * Stores a changed subscription of the same kind. Alone, it costs half of what it does in a transaction.
 *
 * @throws ConditionFailedError if it changed since it was read.
 */
export const storeSub = (store: Store, before: Sub, after: Sub): Promise<void> =>
  store.put(stored({ ...after, rev: before.rev + 1 }), unchangedSince(before));

/**
 * Stores an account that only moved on, if no command to its deployment is unknown to it: it must not be saved behind
 * the bar of a command that it has not applied.
 *
 * @param lastHold number of the last command that the account knows; 0 without one.
 * @throws TransactionRefusedError if the account, or the commands to its deployment, changed since they were read.
 */
export const storeUnheldSub = (store: Store, before: Sub, after: Sub, lastHold: number): Promise<void> =>
  store.transact([
    { put: stored({ ...after, rev: before.rev + 1 }), if: unchangedSince(before) },
    {
      check: keys.deployment(before.deployment_id),
      if: {
        condition: 'attribute_not_exists(last_hold) OR last_hold <= :known',
        values: { ':known': lastHold },
      },
    },
  ]);

/**
 * Returns the writes of a changed subscription; two if its kind changes. Their conditions fail if it changed since it
 * was read.
 */
export const subWrites = (before: Sub, after: Sub): Write[] => {
  const unchanged = unchangedSince(before);
  const next = { ...after, rev: before.rev + 1 };
  if (before.kind === after.kind) return [{ put: stored(next), if: unchanged }];
  return [
    { delete: subKey(before), if: unchanged },
    { put: stored(next), if: { condition: 'attribute_not_exists(pk)' } },
  ];
};

/** Returns the write that lets an account watch limits of another revision. Its condition fails if it changed since. */
export const watchedWrite = (sub: AccountSub, watched: number | undefined): Write => ({
  key: subKey(sub),
  set: { watched, rev: sub.rev + 1 },
  if: unchangedSince(sub),
});

/** Returns the check that a subscription has not changed since it was read. */
export const subGuard = (sub: Sub): Write => ({
  check: subKey(sub),
  if: unchangedSince(sub),
});

/** Returns the write that removes a subscription. Its condition fails if it changed since it was read. */
export const subRemoval = (sub: Sub): Write => ({
  delete: subKey(sub),
  if: unchangedSince(sub),
});

/** Returns the newest decisions, at most ten. */
export const latestDecisions = (
  before: readonly StoredDecision[],
  more: readonly StoredDecision[],
): StoredDecision[] => [...before, ...more].slice(-MAX_DECISIONS);
