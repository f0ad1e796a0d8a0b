import * as z from 'zod';
import { parseItem } from './parse-item.ts';
import { ConditionFailedError, type Key, type Store, type Update, type Write } from './store.ts';

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;

interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

/** Limits that are counted per window of time and subject. Limits of an account are in its own items. */
const LIMITS = {
  /** Wrong passwords from a network, whatever the e-mails. */
  sign_in_network: { max: 50, windowMs: QUARTER_MS },
  /** Wrong passwords for an e-mail from a device that has signed in with it before. */
  sign_in_device: { max: 5, windowMs: QUARTER_MS },
  /** Wrong secrets of a client at /oauth/token from a network. */
  token_client: { max: 10, windowMs: QUARTER_MS },
  /** Requests for mailed codes from a network. */
  mail_network: { max: 30, windowMs: HOUR_MS },
  /** Requests for text messages from a network. */
  sms_network: { max: 20, windowMs: HOUR_MS },
  /** Text messages to a number. */
  sms_number: { max: 5, windowMs: HOUR_MS },
} as const satisfies Readonly<Record<string, Limit>>;

/** One window of a limit for one subject. */
export interface Budget {
  readonly key: Key;
  readonly max: number;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

/** Makes keyed hashes: the table holds no address and no phone number of a budget. */
interface Hasher {
  mac(purpose: string, data: string): Buffer;
}

/** The present budget of a subject, for example of a network. */
export const budgetOf = (
  hasher: Hasher,
  limit: keyof typeof LIMITS,
  subject: readonly string[],
  now: Date,
): Budget => {
  const { max, windowMs } = LIMITS[limit];
  const window = Math.floor(now.getTime() / windowMs);
  const hash = hasher.mac('budget', JSON.stringify([limit, ...subject, window])).toString('base64url');
  return { key: { pk: `BUDGET#${hash}`, sk: 'BUDGET' }, max, endsAt: (window + 1) * windowMs };
};

const schema = z.object({ used: z.number() });

/** Says whether a budget is used up, by its item as read. */
export const isSpent = (item: Readonly<Record<string, unknown>> | undefined, { max }: Budget): boolean =>
  item !== undefined && parseItem(schema, item).used >= max;

const LEFT = 'attribute_not_exists(used) OR used < :max';

/** Uses one of a budget; refused where nothing is left. */
export const spendWrite = ({ key, max, endsAt }: Budget): { readonly key: Key } & Update => ({
  key,
  update: 'SET used = if_not_exists(used, :none) + :one, expires_at_s = :expiry, entity = :entity',
  condition: LEFT,
  values: {
    ':none': 0,
    ':one': 1,
    ':max': max,
    ':expiry': Math.ceil(endsAt / 1000),
    ':entity': 'budget',
  },
});

/** Refuses a transaction where nothing of a budget is left. */
export const leftCheck = ({ key, max }: Budget): Write => ({
  check: key,
  if: { condition: LEFT, values: { ':max': max } },
});

/** Gives a budget back; refused where nothing of it is left. */
export const refillWrite = ({ key, max }: Budget): Write => ({
  delete: key,
  if: { condition: LEFT, values: { ':max': max } },
});

/** Uses one of a budget, where something is left. */
export const spend = async (store: Store, budget: Budget): Promise<void> => {
  const { key, ...change } = spendWrite(budget);
  try {
    await store.update(key, change, schema);
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};
