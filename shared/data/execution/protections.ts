import * as z from 'zod';
import { ADAPTERS, type AdapterName } from '../../domain/deployments/event-source.ts';
import { decimalText } from '../../domain/money.ts';
import { openEnum } from '../../domain/open-enum.ts';
import { ORDER_STATUSES } from '../../domain/orders/order-states.ts';
import { protectionTermsSchema } from '../../domain/orders/protection-terms.ts';
import type { Item } from '../table/attributes.ts';
import type { OnDamaged } from '../table/damaged-items.ts';
import { findDueItems } from '../table/due-items.ts';
import { keys } from '../table/keys.ts';
import { parseListed } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { OrderTakenError } from './orders-in-hand.ts';

/** Returns the kind of the protections of an adapter in the index of due items. */
const dueKindOf = (adapter: AdapterName): string => `execution_protection:${adapter}`;
/** Seconds for which a protection is kept after its trade, for late fills. */
const KEEP_S = 3 * 24 * 3600;

/** Fills of orders that are no longer in the record. */
const sumSchema = z.object({ filled: decimalText, value: decimalText, fees: decimalText.optional() });

/** Order of an exit at the broker, as last seen. Fills are cumulative. */
const legSchema = z.object({
  broker_order_id: z.string(),
  status: openEnum(ORDER_STATUSES, 'unknown'),
  filled: decimalText,
  average_price: decimalText.nullable(),
  /** Fees so far, if the broker reports them with its orders. */
  fees: decimalText.optional(),
  /** Price at the broker: of a stop its trigger, else its limit. */
  price: decimalText.nullable(),
  /** Fills of the orders that this one replaced. */
  before: sumSchema.optional(),
  /** Order that it replaces, while the broker may still reject the replacement, and what that one replaced. */
  was: z.object({ broker_order_id: z.string(), before: sumSchema.optional() }).optional(),
  /** Time since which the broker does not find it, in milliseconds. */
  missing_since: z.number().optional(),
  /** Time of the last change, in milliseconds. */
  at: z.number(),
});

/** An exit at the broker: a stop, a target, both as an OCO, or a market order that closes at once. */
const exitSchema = z.object({
  /** Id that it is placed with at the broker. Follows from the deployment, the entry and a number. */
  id: z.string(),
  kind: z.enum(['oco', 'stop', 'stop_limit', 'target', 'close']),
  time_in_force: z.enum(['day', 'gtc']),
  quantity: decimalText,
  stop: decimalText.optional(),
  target: decimalText.optional(),
  /**
   * - `placing`: not known to be at the broker.
   * - `open`: at the broker.
   * - `ended`: final.
   */
  state: z.enum(['placing', 'open', 'ended']),
  /** Time of the last attempt to place it, in milliseconds. */
  tried_at: z.number().optional(),
  /** Time at which its cancel was first requested, in milliseconds. */
  cancelled_at: z.number().optional(),
  /** Replacement of one of its orders whose outcome is not known yet. */
  move: z
    .object({
      id: z.string(),
      level: z.enum(['stop', 'target']),
      price: decimalText,
      tried_at: z.number(),
    })
    .optional(),
  /** Refused replacements in a row, and the time of the last one in milliseconds. */
  refusals: z.int().optional(),
  refused_at: z.number().optional(),
  legs: z.object({
    stop: legSchema.optional(),
    target: legSchema.optional(),
    close: legSchema.optional(),
  }),
});

/** Report on a protective order of the order book, as last sent or to be sent. */
const reportSchema = z.object({
  status: openEnum(ORDER_STATUSES, 'unknown'),
  quantity: decimalText,
  filled_quantity: decimalText,
  average_price: decimalText.nullable(),
  price: decimalText.nullable(),
  fees: decimalText.optional(),
  status_message: z.string().nullable(),
  at: z.number(),
  sequence: z.number(),
  /** Highest sequence that is known to be on the bus. */
  reported: z.number(),
});

/**
 * - `waiting`: nothing is open of the trade; its entry may fill further.
 * - `standing`: the exits at the broker are as wanted.
 * - `changing`: they are not yet, or it is not known.
 * - `lifted`: cancelled, so that an order of the hub can close the trade.
 * - `refused`: the broker refuses the stop, and the owner keeps the position.
 * - `closing`: an order at the market closes the trade, as its stop cannot rest.
 * - `missing`: the account does not hold the position.
 * - `ended`: the trade is over.
 */
export const PROTECTION_STATES = [
  'waiting',
  'standing',
  'changing',
  'lifted',
  'refused',
  'closing',
  'missing',
  'ended',
] as const;

/** Protection of a trade at its broker. One record for each trade of a deployment with real orders. */
const protectionSchema = z.object({
  deployment_id: z.number(),
  /** Order that opened the trade. */
  entry: z.string(),
  user_id: z.string(),
  broker_id: z.number().optional(),
  adapter: z.enum(ADAPTERS),
  account_id: z.string(),
  symbol: z.string(),
  broker_symbol: z.string(),
  asset_class: z.enum(['equity', 'crypto']),
  side: z.enum(['long', 'short']),
  terms: protectionTermsSchema,
  /** Levels that the hub, or the owner at the broker, has moved. They prevail over the terms. */
  moved: z.object({ stop: decimalText.optional(), target: decimalText.optional() }),
  /** Number of the last change by the hub. */
  moved_number: z.number().optional(),
  /** Filled quantity of the entry and its average price. */
  entered: decimalText,
  entry_price: decimalText,
  /** Quantity that the broker took from the position as fees on the entry. */
  taken: decimalText.optional(),
  /** True once the entry cannot fill further. */
  is_entry_over: z.boolean(),
  /** Filled quantity of each order of the hub that closes a part of the trade, by its id. */
  closes: z.record(z.string(), decimalText),
  /** Closes for which the protection is lifted until they end. */
  lifted_for: z.array(z.string()),
  /** Open quantity of closes that rest at the broker, by their ids. The exits may rest for what these leave. */
  resting: z.record(z.string(), decimalText).optional(),
  /** Most that exits may cover, where the account or the books hold less than the trade. */
  cap: decimalText.optional(),
  /** Quantity that ended in earlier rounds. */
  exited_before: decimalText,
  round: z.int(),
  /** Number of the next exit. */
  next_exit: z.int(),
  exits: z.array(exitSchema),
  /** Fills by exits that are no longer in the record. */
  sums: z.object({
    stop: sumSchema.optional(),
    target: sumSchema.optional(),
    close: sumSchema.optional(),
  }),
  reports: z.object({
    stop: reportSchema.optional(),
    target: reportSchema.optional(),
    close: reportSchema.optional(),
  }),
  state: openEnum(PROTECTION_STATES, 'changing'),
  /** Sentence for the owner about the state. */
  reason: z.string().optional(),
  /** True once the trade is to be closed at the market, as its stop cannot rest. */
  is_closing: z.boolean().optional(),
  /** True while small exits are cancelled, so that one takes their place. */
  is_joining: z.boolean().optional(),
  /** True while no exit may rest, as the units of the symbol change. */
  is_suspended: z.boolean().optional(),
  /** Time of the last look for a declared split, and of the last split that the protection has, in milliseconds. */
  split_looked_at: z.number().optional(),
  split_done: z.number().optional(),
  /** True if the account did not hold enough for the last exit that was to be placed. */
  is_short_of: z.boolean().optional(),
  /** True if the position was far larger than the trade, as after a split. */
  is_other_units: z.boolean().optional(),
  /** Time of the broker's last refusal of an exit, in milliseconds. */
  refused_at: z.number().optional(),
  /** Time since which the position has not the exits that it should, in milliseconds. */
  gap_since: z.number().optional(),
  /** Time since which the broker's position differs from the trade, in milliseconds. */
  differs_since: z.number().optional(),
  /** Differences that were reported, so that each is reported once. */
  reported: z.array(z.string()),
  /** Last comparison of position, protection and books, in milliseconds. */
  compared_at: z.number().optional(),
  created_at: z.number(),
  /** Increases with every write. */
  rev: z.number(),
  /** Time of the next attendance, in milliseconds; absent if nothing is left to do. */
  due_at: z.number().optional(),
});

export type Protection = z.output<typeof protectionSchema>;
export type ProtectiveExit = z.output<typeof exitSchema>;
export type ProtectiveLeg = z.output<typeof legSchema>;
export type ProtectiveReport = z.output<typeof reportSchema>;

/** Returns the key of a protection. */
export const protectionKey = ({
  deployment_id,
  symbol,
  entry,
}: Pick<Protection, 'deployment_id' | 'symbol' | 'entry'>): Key =>
  keys.protection(deployment_id, symbol, entry);

const itemOf = (protection: Protection, now: Date): Item => ({
  ...protection,
  ...protectionKey(protection),
  entity: 'execution_protection',
  due_kind: protection.due_at === undefined ? undefined : dueKindOf(protection.adapter),
  expires_at_s: protection.due_at === undefined ? Math.floor(now.getTime() / 1000) + KEEP_S : undefined,
});

const orTaken = async (write: Promise<void>): Promise<void> => {
  try {
    await write;
  } catch (error) {
    throw error instanceof ConditionFailedError ? new OrderTakenError() : error;
  }
};

/** Stores a new protection. @throws OrderTakenError if there is one. */
export const createProtection = (store: Store, protection: Protection, now: Date): Promise<void> =>
  orTaken(store.put(itemOf(protection, now), { condition: 'attribute_not_exists(pk)' }));

/** Stores a protection as changed since it was read. @throws OrderTakenError */
export const saveProtection = async (
  store: Store,
  protection: Protection,
  now: Date,
): Promise<Protection> => {
  const next = { ...protection, rev: protection.rev + 1 };
  await orTaken(
    store.put(itemOf(next, now), { condition: 'rev = :rev', values: { ':rev': protection.rev } }),
  );
  return next;
};

/** Reads a protection. */
export const findProtection = (
  store: Store,
  place: Pick<Protection, 'deployment_id' | 'symbol' | 'entry'>,
): Promise<Protection | undefined> => store.get(protectionKey(place), protectionSchema, { consistent: true });

/** Reads the protections of a deployment, of one symbol or of all; also those of trades that ended lately. */
export const findProtections = async (
  store: Store,
  deploymentId: number,
  symbol?: string,
): Promise<Protection[]> => {
  const { pk, sk } = keys.protection(deploymentId, symbol ?? '', '');
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
    ConsistentRead: true,
  });
  return parseListed(protectionSchema, items);
};

/** Reads protections of an adapter that are due before a time, longest due first. */
export const findDueProtections = (
  store: Store,
  adapter: AdapterName,
  { before, limit, onDamaged }: { before: number; limit: number; onDamaged?: OnDamaged | undefined },
): Promise<Protection[]> =>
  findDueItems(store, [dueKindOf(adapter)], protectionSchema, { now: new Date(before), limit, onDamaged });

/**
 * Returns the write that makes a protection due at once, also if the broker has just refused its exits. Its condition fails
 * if the protection has changed since it was read.
 */
export const askedAgainWrite = (protection: Protection, now: Date): Write => ({
  key: protectionKey(protection),
  set: { due_at: now.getTime(), refused_at: undefined, rev: protection.rev + 1 },
  if: { condition: 'rev = :rev', values: { ':rev': protection.rev } },
});
