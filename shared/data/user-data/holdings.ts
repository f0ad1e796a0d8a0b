import * as z from 'zod';
import { auditList, deploymentAuditList } from '../audit/audit-trail.ts';
import { ownedBacktests } from '../backtests/user-backtests.ts';
import { deploymentEntrySchema, deploymentList } from '../deployments/deployments.ts';
import { entryKey } from '../numbered-list/numbered-list.ts';
import { profileList } from '../strategies/listings.ts';
import { listOwnedStrategies } from '../strategies/owned-strategies.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { type Account, mentionTest } from './account.ts';

export const holdingsSchema = z.object({
  deployments: z.array(z.number()),
  strategies: z.array(z.number()),
  backtests: z.array(z.number()),
  sweeps: z.array(z.number()),
});

/** Identifiers of what a user owns. Their items need not name the user. */
export type Holdings = z.output<typeof holdingsSchema>;

const LAST_SEQ = 10 ** 12 - 1;

/** Lists the ids of deployments that a user ever made, in an order. */
const deploymentIds = async (
  store: Store,
  userId: string,
  order: { readonly ScanIndexForward: boolean; readonly Limit?: number },
): Promise<number[]> => {
  const list = deploymentList('all', userId);
  const entries = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ExpressionAttributeValues: {
        ':pk': list.pk,
        ':low': entryKey(list, 0).sk,
        ':high': entryKey(list, LAST_SEQ).sk,
      },
      ...order,
      ConsistentRead: true,
    },
    deploymentEntrySchema,
  );
  return entries.map(({ deployment_id }) => deployment_id);
};

/** Lists the ids of all deployments that a user ever made, oldest first. */
export const findDeploymentIds = (store: Store, userId: string): Promise<number[]> =>
  deploymentIds(store, userId, { ScanIndexForward: true });

/** Lists the ids of the newest deployments of a user, newest first. */
export const newestDeploymentIds = (store: Store, userId: string, limit: number): Promise<number[]> =>
  deploymentIds(store, userId, { ScanIndexForward: false, Limit: limit });

const recordSchema = z.object({ record_id: z.number(), backtest_id: z.number().optional() });

/** Lists the ids of the items of an author's track records, and of the backtests of before. */
const findRecordHoldings = async (store: Store, author: string): Promise<number[]> => {
  const { pk, sk } = keys.trackRecord(author, '');
  const found = await store.query(
    {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
      ConsistentRead: true,
    },
    recordSchema,
  );
  return found.flatMap(({ record_id, backtest_id }) => [record_id, ...(backtest_id ? [backtest_id] : [])]);
};

/** Reads the identifiers of what a user owns. */
export const findHoldings = async (
  store: Store,
  { user_id: userId, user_key }: Pick<Account, 'user_id' | 'user_key'>,
): Promise<Holdings> => {
  const [deployments, strategies, [backtests], records] = await Promise.all([
    findDeploymentIds(store, userId),
    listOwnedStrategies(store, userId),
    store.getMany([keys.backtestsOf(userId)], { consistent: true }),
    findRecordHoldings(store, user_key),
  ]);
  const { entries, sweeps } = ownedBacktests(backtests).list;
  return {
    deployments,
    strategies: strategies.map(({ strategy_id }) => strategy_id),
    backtests: [...entries.map(({ backtest_id }) => backtest_id), ...records],
    sweeps: sweeps.map(({ sweep_id }) => sweep_id),
  };
};

/**
 * Relation of an item to a user:
 * - `own`: the user's, or about the user alone.
 * - `audit`: an entry of the user's audit trail, or of a deployment's.
 * - `mention`: of somebody else, with the user's name in it.
 */
export type Relation = 'own' | 'audit' | 'mention';

/** Partition of one deployment, strategy, backtest or sweep. */
const BY_ID = /^([A-Z_]+)#(\d+)$/;
/** Partitions of entities other than deployments. The id of an order is not that of a deployment. */
const KIND_OF: Readonly<Record<string, keyof Holdings | undefined>> = {
  STRATEGY: 'strategies',
  LIKES: 'strategies',
  COPIES: 'strategies',
  DEPLOYERS: 'strategies',
  BACKTEST: 'backtests',
  SWEEP: 'sweeps',
};

/** Records of others in which the e-mail is not that of the user: contacts of brokers, dummy users; and the deletion. */
const APART = new Set(['broker', 'dummy_user', 'account_deletion']);

const messageSchema = z.object({ to: z.string() });

/** Returns the address of a message; undefined for other items. */
const addresseeOf = ({ entity, message }: Item): string | undefined =>
  String(entity).startsWith('outbox') ? messageSchema.safeParse(message).data?.to : undefined;

const isMessageTo = (item: Item, phone: string | undefined): boolean =>
  phone !== undefined && addresseeOf(item) === phone;

const isWebhookOf = ({ owner }: Item, userId: string): boolean =>
  z.object({ user_id: z.string() }).safeParse(owner).data?.user_id === userId;

/** Returns the partitions of the audit trails of a user and of the user's deployments. */
const auditsOf = ({ user_id }: Account, { deployments }: Holdings): string[] => [
  auditList(user_id).pk,
  ...deployments.map((id) => deploymentAuditList(id).pk),
];

/** Returns the partitions that are a user's. */
const partitionsOf = ({ user_id, user_key, email, referral_code }: Account): string[] => [
  keys.user(user_id).pk,
  keys.credentials(email).pk,
  keys.referral(referral_code).pk,
  profileList(user_key).pk,
];

/** Returns the owned thing that a partition is of; undefined for other partitions. */
const holdingOf = (pk: string): { readonly kind: keyof Holdings; readonly id: number } | undefined => {
  const [, prefix, id] = BY_ID.exec(pk) ?? [];
  if (prefix === undefined || prefix === 'ORDER') return undefined;
  return { kind: KIND_OF[prefix] ?? 'deployments', id: Number(id) };
};

const KINDS = ['deployments', 'strategies', 'backtests', 'sweeps'] as const;

/**
 * Returns the clues to a user. An item with a relation to the user has one of them among {@link cluesIn}, or a text that
 * names the user.
 */
export const cluesTo = (account: Account, holdings: Holdings): string[] => [
  ...[...auditsOf(account, holdings), ...partitionsOf(account)].map((pk) => `partition ${pk}`),
  ...KINDS.flatMap((kind) => holdings[kind].map((id) => `${kind} ${id}`)),
  ...(account.ph_number === undefined ? [] : [`phone ${account.ph_number}`]),
];

/** Returns the clues in an item. */
export const cluesIn = (item: Item): string[] => {
  const pk = String(item.pk);
  const holding = holdingOf(pk);
  return [
    `partition ${pk}`,
    ...(holding ? [`${holding.kind} ${holding.id}`] : []),
    ...(item.deployment_id === undefined ? [] : [`deployments ${Number(item.deployment_id)}`]),
    `phone ${addresseeOf(item)}`,
  ];
};

/** Returns a function that tells the relation of an item to a user; undefined if it has none. */
export const relationTest = (
  account: Account,
  holdings: Holdings,
): ((item: Item) => Relation | undefined) => {
  const { user_id, ph_number } = account;
  const isMention = mentionTest(account);
  const ids = {
    deployments: new Set(holdings.deployments),
    strategies: new Set(holdings.strategies),
    backtests: new Set(holdings.backtests),
    sweeps: new Set(holdings.sweeps),
  };
  const audits = new Set(auditsOf(account, holdings));
  const partitions = new Set(partitionsOf(account));
  const isOfHolding = (pk: string): boolean => {
    const holding = holdingOf(pk);
    return holding !== undefined && ids[holding.kind].has(holding.id);
  };
  return (item) => {
    if (APART.has(String(item.entity))) return undefined;
    const [pk, sk] = [String(item.pk), String(item.sk)];
    if (audits.has(pk)) return 'audit';
    const isOwn =
      partitions.has(pk) ||
      isOfHolding(pk) ||
      item.user_id === user_id ||
      isWebhookOf(item, user_id) ||
      // Trails of brokers and operators name deployments.
      (item.entity !== 'audit_entry' && ids.deployments.has(Number(item.deployment_id))) ||
      isMention(pk) ||
      isMention(sk);
    if (isOwn || isMessageTo(item, ph_number)) return 'own';
    if (!isMention(item)) return undefined;
    return String(item.entity).startsWith('outbox') ? 'own' : 'mention';
  };
};
