import * as z from 'zod';
import type { Trade } from '../../domain/ledger/account.ts';
import { decimalText } from '../../domain/money.ts';
import { storedForm, withUnknownOf } from '../../domain/unknown-fields.ts';
import { readStaged, type Stageable, unstaged } from '../deployments/staged-change.ts';
import { TRADE_MODES } from '../deployments/trading-record.ts';
import type { NumberedList } from '../numbered-list/numbered-list.ts';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, placeByKey, readable } from '../table/damaged-items.ts';
import type { Items } from '../table/items.ts';
import { bounded } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';

/** Returns the list of closed trades of all deployments of a user. */
export const userTradeList = (userId: string): NumberedList => ({ pk: `USER_TRADES#${bounded(userId)}` });

/** A closed trade as stored. */
const storedTradeSchema = z.object({
  deployment_id: z.number(),
  strategy_id: z.number(),
  mode: z.enum(TRADE_MODES),
  currency: z.string(),
  number: z.number(),
  symbol: z.string(),
  side: z.enum(['long', 'short']),
  quantity: decimalText,
  entry_average: decimalText,
  exit_average: decimalText,
  entry_value: decimalText,
  gross: decimalText,
  fees: decimalText,
  swap: decimalText,
  net: decimalText,
  opened_at: z.string(),
  closed_at: z.string(),
  duration_s: z.number(),
  client_order_id: z.string(),
});

export type StoredTrade = z.output<typeof storedTradeSchema>;

/** Entry of a list of trades. */
export const tradePointerSchema = z.object({ deployment_id: z.number(), number: z.number() });

/** Returns the key of a trade by its number within the deployment. */
export const tradeKey = (deploymentId: number, number: number): Key => ({
  pk: `TRADES#${deploymentId}`,
  sk: `TRADE#${String(number).padStart(12, '0')}`,
});

/** Returns the key of the item that holds a trade's place in the list of its user. */
export const tradePlaceKey = (deploymentId: number, number: number): Key => ({
  pk: `TRADES#${deploymentId}`,
  sk: `PLACE#${String(number).padStart(12, '0')}`,
});

const asTrade = (item: Item): StoredTrade => parseItem(storedTradeSchema, unstaged(item));

const tradesIn = (items: Items, onDamaged: OnDamaged | undefined): StoredTrade[] =>
  items.flatMap((item) => (item ? (readable(asTrade, item, placeByKey, onDamaged) ?? []) : []));

/**
 * Reads trades in the order of `pointers`, 100 per call; omits trades that a late event has undone.
 *
 * @param onDamaged takes the errors of damaged ones. Without it, they are errors.
 */
export const findTrades = async (
  store: Store,
  pointers: readonly z.output<typeof tradePointerSchema>[],
  onDamaged?: OnDamaged,
): Promise<StoredTrade[]> => {
  if (pointers.length === 0) return [];
  const wanted = pointers.map(({ deployment_id, number }) => tradeKey(deployment_id, number));
  const items = await store.getMany(wanted, { consistent: true });
  return tradesIn(await readStaged(store, items, (index) => pointers[index]?.deployment_id ?? 0), onDamaged);
};

/**
 * Reads the trades of a deployment whose numbers are in a range, newest first, in one Query. Trades are numbered from 1
 * without gaps, in the order in which they closed.
 *
 * @param onDamaged takes the errors of damaged ones. Without it, they are errors.
 */
export const findTradeRange = async (
  store: Store,
  deploymentId: number,
  { first, last }: { readonly first: number; readonly last: number },
  onDamaged?: OnDamaged,
): Promise<StoredTrade[]> => {
  if (last < first) return [];
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': tradeKey(deploymentId, first).pk,
      ':first': tradeKey(deploymentId, first).sk,
      ':last': tradeKey(deploymentId, last).sk,
    },
    ScanIndexForward: false,
    Limit: last - first + 1,
    ConsistentRead: true,
  });
  return tradesIn(await readStaged(store, items, () => deploymentId), onDamaged);
};

/** A trade before a late event writes it again. */
interface TradeBefore {
  /** Undefined if it is damaged. */
  readonly trade: StoredTrade | undefined;
  /** Its attributes. Of a damaged one, those that this version knows. */
  readonly attributes: readonly string[];
}

/** Trades before a late event, by number. */
export type TradesBefore = ReadonlyMap<number, TradeBefore>;

const beforeOf = (item: Item): TradeBefore => {
  try {
    const trade = asTrade(item);
    return { trade, attributes: Object.keys(storedForm(trade)) };
  } catch (error) {
    // The ledger has all of a damaged trade, so the write mends it.
    if (!(error instanceof z.ZodError)) throw error;
    const attributes = Object.keys(item).filter((name) => Object.hasOwn(storedTradeSchema.shape, name));
    return { trade: undefined, attributes };
  }
};

/**
 * Reads the trades that a late event writes again or removes.
 *
 * @throws NewerRecordError if only a newer version can read one of them.
 */
export const findTradesBefore = async (
  store: Store,
  deploymentId: number,
  numbers: readonly number[],
): Promise<TradesBefore> => {
  if (numbers.length === 0) return new Map();
  const wanted = numbers.map((number) => tradeKey(deploymentId, number));
  const items = await store.getMany(wanted, { consistent: true });
  const staged = await readStaged(store, items, () => deploymentId);
  return new Map(
    numbers.flatMap((number, index) => {
      const item = staged[index];
      return item ? [[number, beforeOf(item)]] : [];
    }),
  );
};

/** Returns the same trade of before, which a late event may have numbered differently. An order may close several. */
const sameBefore = (
  before: TradesBefore,
  { number, client_order_id, closed_at }: Trade,
): StoredTrade | undefined => {
  const own = [before.get(number), ...before.values()].flatMap((one) =>
    one?.trade?.client_order_id === client_order_id ? one.trade : [],
  );
  return own.find((trade) => trade.closed_at === closed_at) ?? own[0];
};

/**
 * Returns the write of a closed trade, with the attributes that a newer version stored.
 *
 * @param options.before the trades that the event writes again.
 * @param options.isNew true if no trade has its number yet.
 */
export const tradeWrite = (
  {
    deployment_id,
    strategy_id,
    mode,
    currency,
  }: Pick<StoredTrade, 'deployment_id' | 'strategy_id' | 'mode' | 'currency'>,
  trade: Trade,
  { before, isNew }: { readonly before: TradesBefore; readonly isNew: boolean },
): Stageable => {
  const made = { deployment_id, strategy_id, mode, currency, ...trade };
  const same = sameBefore(before, trade);
  const gone = before.get(trade.number)?.attributes ?? [];
  return {
    key: tradeKey(deployment_id, trade.number),
    set: {
      ...Object.fromEntries(gone.map((name) => [name, undefined])),
      entity: 'trade',
      ...storedForm(same ? withUnknownOf(same, made) : made),
    },
    isNew,
  };
};

/** Returns the write that removes a trade which a late event has undone. */
export const tradeRemoval = (deploymentId: number, number: number): Stageable => ({
  delete: tradeKey(deploymentId, number),
});
