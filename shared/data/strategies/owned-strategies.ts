import * as z from 'zod';
import { STRATEGY_STATUSES } from '../../domain/strategies/strategies.ts';
import { type OnDamaged, parseReadable, placeInList } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { type Store, TransactionRefusedError } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import type { Strategy } from './strategies.ts';

/** The most strategies of a user, copies included. */
export const MAX_STRATEGIES = 1000;

const ownedSchema = z.object({
  strategy_id: z.number(),
  strategy_name: z.string(),
  symbols: z.array(z.string()),
  broker_id: z.number().optional(),
  is_copied: z.union([z.literal(0), z.literal(1)]),
  /** Absent until it changes for the first time. */
  status: z.enum(STRATEGY_STATUSES).default('ready'),
});

export type OwnedStrategy = z.output<typeof ownedSchema>;

/**
 * Lists names, symbols and origin of a user's strategies, newest first. The quota bounds the list.
 *
 * @param onDamaged takes the errors of damaged entries. Without it, they are errors.
 */
export const listOwnedStrategies = async (
  store: Store,
  userId: string,
  onDamaged?: OnDamaged,
): Promise<OwnedStrategy[]> => {
  const { pk, sk } = keys.ownedStrategy(userId, '');
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
    ScanIndexForward: false,
    ConsistentRead: true,
  });
  return parseReadable(ownedSchema, items, placeInList, onDamaged);
};

/** Names are compared without case and in one Unicode spelling, so look-alike names are equal. */
const nameKey = (userId: string, name: string) =>
  keys.strategyName(
    userId,
    name
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .toLowerCase(),
  );

export type CreateStrategyFailure = 'name_taken' | 'too_many' | 'refused';

/**
 * Writes a new strategy with its name mark, its entry in the owner's list and the owner's count.
 *
 * @param more further members of the transaction, for example the changes of the source of a copy.
 * @returns undefined if it was written, else the reason; `refused` if a condition of `more` failed.
 */
export const createStrategy = async (
  store: Store,
  strategy: Strategy,
  more: readonly Write[] = [],
): Promise<CreateStrategyFailure | undefined> => {
  const { strategy_id, strategy_name, symbols, broker_id, is_copied, status, user_id } = strategy;
  const owned: OwnedStrategy = { strategy_id, strategy_name, symbols, broker_id, is_copied, status };
  const absent = { condition: 'attribute_not_exists(pk)' };
  const nameClaim: Write = {
    put: { ...nameKey(user_id, strategy_name), entity: 'strategy_name', strategy_id },
    if: absent,
  };
  const itself: Write = {
    put: { ...keys.strategy(strategy_id), entity: 'strategy', ...strategy },
    if: absent,
  };
  const count: Write = {
    key: keys.user(user_id),
    update: 'SET strategies_count = if_not_exists(strategies_count, :none) + :one',
    condition: 'attribute_exists(pk) AND (attribute_not_exists(strategies_count) OR strategies_count < :max)',
    values: { ':none': 0, ':one': 1, ':max': MAX_STRATEGIES },
  };
  const writes: Write[] = [
    nameClaim,
    count,
    itself,
    { put: { ...keys.ownedStrategy(user_id, strategy_id), entity: 'owned_strategy', ...owned } },
    ...more,
  ];
  try {
    await store.transact(writes);
    return undefined;
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    if (error.has(count)) return 'too_many';
    if (error.has(nameClaim)) return 'name_taken';
    if (error.has(itself)) throw error;
    return 'refused';
  }
};

/** Returns the write that changes a strategy in its owner's list; undefined values are removed. */
export const ownedWrite = ({ user_id, strategy_id }: Strategy, set: Partial<OwnedStrategy>): Write => ({
  key: keys.ownedStrategy(user_id, strategy_id),
  set,
  if: { condition: 'attribute_exists(pk)' },
});

/** Returns the writes that give a strategy another unique name: the claim, and the release of the old name. */
export const nameWrites = (
  { user_id, strategy_id, strategy_name }: Strategy,
  name: string,
): { readonly claim: Write; readonly release: readonly Write[] } => {
  const [key, old] = [nameKey(user_id, name), nameKey(user_id, strategy_name)];
  return {
    claim: {
      key,
      set: { entity: 'strategy_name', strategy_id },
      // The strategy may keep its own name with different letter case.
      if: {
        condition: 'attribute_not_exists(pk) OR strategy_id = :own',
        values: { ':own': strategy_id },
      },
    },
    release: key.sk === old.sk ? [] : [{ delete: old }],
  };
};
