import * as z from 'zod';
import type { Item } from './attributes.ts';
import { parseItem } from './parse-item.ts';
import { ConditionFailedError, type Store } from './store.ts';
import type { Key, Update, Write } from './writes.ts';

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

/** Limits per subject and window of time. A wide network is a /24 of IPv4 or a /48 of IPv6. */
const LIMITS = {
  /** Wrong passwords from a network, for any e-mail. */
  sign_in_network: { max: 50, windowMs: QUARTER_MS },
  /** Wrong passwords for an e-mail from a device that has signed in with it before. */
  sign_in_device: { max: 5, windowMs: QUARTER_MS },
  /** Wrong codes of a factor from a session that stepped up before; a day's, so that a thief of its cookie guesses none in a month. */
  factor_session: { max: 5, windowMs: QUARTER_MS },
  factor_session_day: { max: 30, windowMs: DAY_MS },
  /** Wrong codes of a factor from other sessions of an account: of a network, and of all. */
  factor_network: { max: 5, windowMs: QUARTER_MS },
  factor_user: { max: 50, windowMs: DAY_MS },
  /** Wrong secrets of a client at /oauth/token from a network. */
  token_client: { max: 10, windowMs: QUARTER_MS },
  /** Keys of a broker that the broker refused, from a network: nobody must try stolen ones, or have the broker block the hub. */
  execution_keys: { max: 10, windowMs: HOUR_MS },
  /** Requests for mailed codes from a network. */
  mail_network: { max: 30, windowMs: HOUR_MS },
  /** Requests for mailed unsubscribe links from a network. */
  unsubscribe_network: { max: 30, windowMs: HOUR_MS },
  /** Mailed unsubscribe links to an address. */
  unsubscribe_address: { max: 1, windowMs: DAY_MS },
  /** Mails to a user about a group of notifications that each deployment may send without a limit. */
  mail_user: { max: 200, windowMs: DAY_MS },
  /** Requests for text messages from a network. */
  sms_network: { max: 20, windowMs: HOUR_MS },
  /** Text messages to a number. */
  sms_number: { max: 5, windowMs: HOUR_MS },
  /** Accounts that are registered from a wide network, and that nobody vouches for. */
  register_network: { max: 100, windowMs: HOUR_MS },
  /** Accounts that one client application, approved broker or identity provider vouches for: some a second, from any network. */
  register_vouched: { max: 20_000, windowMs: HOUR_MS },
  /** Corrections of an e-mail that nobody has proven, of a user. */
  email_correction: { max: 5, windowMs: DAY_MS },
  /** Rules that a user stores: each version stays, as deployments and backtests may rest on it. */
  rules_user: { max: 1000, windowMs: DAY_MS },
  /** Proposals of a key, or of a session, and all of a user: each one notifies. */
  proposals_key: { max: 1, windowMs: 60_000 },
  proposals_user: { max: 40, windowMs: DAY_MS },
  /** API keys that a user makes: each one notifies by all channels. */
  api_keys_user: { max: 40, windowMs: DAY_MS },
  /** Brokers that register themselves from a wide network. */
  broker_network: { max: 20, windowMs: HOUR_MS },
  /** Stored candles that a wide network reads in large spans: ten seconds of one processor. */
  candles_network: { max: 1e8, windowMs: HOUR_MS },
  /** Candles of the items that a user's imports read and write. The plan lowers it. */
  own_candles_user: { max: 4e8, windowMs: DAY_MS },
  /** Work of a user's backtests. The plan lowers it. */
  work_user: { max: 5e10, windowMs: DAY_MS },
  /** Part of that work that one API key takes. The plan lowers it. */
  work_key: { max: 5e10, windowMs: DAY_MS },
  /** Work of all proven users of the free plan together: some hours of one processor. */
  work_free: { max: 1e11, windowMs: DAY_MS },
  /** Part of the work of the free plan that goes to users of one wide network. */
  work_free_network: { max: 2e9, windowMs: DAY_MS },
  /** Work of all unproven users together, and the part of one wide network. */
  work_unproven: { max: 1e10, windowMs: DAY_MS },
  work_unproven_network: { max: 2e8, windowMs: DAY_MS },
} as const satisfies Readonly<Record<string, Limit>>;

/** One window of a limit for one subject, for example for a network. */
export interface Budget {
  readonly key: Key;
  readonly max: number;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

/** Makes keyed hashes, so that the table holds no network address and no phone number. */
interface Hasher {
  mac(purpose: string, data: string): Buffer;
}

/** Returns the key of a budget by its partition. */
export const budgetKey = (pk: string): Key => ({ pk, sk: 'BUDGET' });

/** Returns the current budget of a subject. Its key changes with each window. */
export const budgetOf = (
  hasher: Hasher,
  limit: keyof typeof LIMITS,
  subject: readonly string[],
  now: Date,
): Budget => {
  const { max, windowMs } = LIMITS[limit];
  const window = Math.floor(now.getTime() / windowMs);
  const hash = hasher.mac('budget', JSON.stringify([limit, ...subject, window])).toString('base64url');
  return { key: budgetKey(`BUDGET#${hash}`), max, endsAt: (window + 1) * windowMs };
};

const schema = z.object({ used: z.number() });

/** Returns whether a budget is used up. `item` is the stored budget, undefined if nothing was used yet. */
export const isSpent = (item: Item | undefined, { max }: Budget): boolean =>
  item !== undefined && parseItem(schema, item).used >= max;

/** Returns whether a budget has units left. `item` as for {@link isSpent}. */
export const covers = (item: Item | undefined, { max }: Budget, units: number): boolean =>
  (item === undefined ? 0 : parseItem(schema, item).used) + units <= max;

const LEFT = 'attribute_not_exists(used) OR used < :max';

/**
 * Returns the write that uses units of a budget. Its condition fails if the budget does not cover them.
 *
 * @param used units that are counted in the end; those that were asked for by default.
 */
export const spendWrite = (
  { key, max, endsAt }: Budget,
  units = 1,
  used = units,
): { readonly key: Key } & Update => ({
  key,
  update: 'SET used = if_not_exists(used, :none) + :used, expires_at_s = :expiry, entity = :entity',
  condition: 'attribute_not_exists(used) OR used <= :most',
  values: {
    ':none': 0,
    ':used': used,
    ':most': max - units,
    ':expiry': Math.ceil(endsAt / 1000),
    ':entity': 'budget',
  },
});

/** Returns the check that fails its transaction if the budget is used up. */
export const leftCheck = ({ key, max }: Budget): Write => ({
  check: key,
  if: { condition: LEFT, values: { ':max': max } },
});

/** Returns the write that resets a budget. Its condition fails if the budget is used up. */
export const refillWrite = ({ key, max }: Budget): Write => ({
  delete: key,
  if: { condition: LEFT, values: { ':max': max } },
});

/** Uses units of a budget. @returns false, and nothing is used, if it does not cover them. */
export const spend = async (store: Store, budget: Budget, units = 1): Promise<boolean> => {
  const { key, ...change } = spendWrite(budget, units);
  try {
    await store.update(key, change, schema);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailedError) return false;
    throw error;
  }
};

/** Counts more units of a budget than it was asked for, or returns some. No-op once its window is over. */
export const adjust = async (store: Store, key: Key, units: number): Promise<void> => {
  const change = {
    update: 'SET used = used + :units',
    condition: 'attribute_exists(used)',
    values: { ':units': units },
  };
  try {
    await store.update(key, change, schema);
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};
