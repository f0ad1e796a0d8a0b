import * as z from 'zod';
import type { Answer } from './spot-exchange.ts';

/**
 * Meaning of a refusal:
 * - `access`: the keys are refused, or may not do this.
 * - `clock`: the call was not within its window of time, and nothing was done.
 * - `later`: there were too many calls, and nothing was done.
 * - `unknown`: the call may have been done.
 * - `missing`: there is no such order or symbol, or none that is open.
 * - `duplicate`: an open order has this id.
 * - `refused`: the order is refused.
 */
export type Meaning = 'access' | 'clock' | 'later' | 'unknown' | 'missing' | 'duplicate' | 'refused';

/** Code of too many new orders of an account. */
const TOO_MANY_ORDERS = -1015;

/** Meanings of the codes of Binance's page "Error codes" that are not about the content of a call. */
const MEANINGS: ReadonlyMap<number, Meaning> = new Map([
  [-1000, 'unknown'],
  [-1001, 'unknown'],
  [-1006, 'unknown'],
  [-1007, 'unknown'],
  [-1008, 'unknown'],
  [-1003, 'later'],
  [TOO_MANY_ORDERS, 'later'],
  [-1016, 'later'],
  [-1034, 'later'],
  [-1002, 'access'],
  [-1022, 'access'],
  [-2014, 'access'],
  [-2015, 'access'],
  [-1021, 'clock'],
  [-1121, 'missing'],
  [-2011, 'missing'],
  [-2013, 'missing'],
  [-2026, 'missing'],
]);

const refusalSchema = z.object({ code: z.int(), msg: z.string().catch('') });

/** Returns the code and the message of a refusal. */
export const refusalOf = ({ body }: Answer): z.output<typeof refusalSchema> | undefined =>
  refusalSchema.safeParse(body).data;

/** Statuses of too many requests, and of an address that is banned for them. */
const LIMITED: ReadonlySet<number> = new Set([418, 429]);
/** Status of a request that may have arrived all the same. */
const TIMED_OUT = 408;

/** Returns the meaning of an answer; undefined if it is no refusal. */
export const meaningOf = (answer: Answer): Meaning | undefined => {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  if (LIMITED.has(status)) return 'later';
  if (status >= 500 || status === TIMED_OUT) return 'unknown';
  const refusal = refusalOf(answer);
  if (status === 401) return 'access';
  // The firewall in front of the API answers without a code, also for too many requests.
  if (!refusal) return status === 403 ? 'later' : 'unknown';
  if (refusal.code === -2010 && /duplicate order/i.test(refusal.msg)) return 'duplicate';
  return MEANINGS.get(refusal.code) ?? 'refused';
};

/** Tells whether a limit concerns the orders of one account, and not all calls of the address. */
export const isOfAccount = (answer: Answer): boolean => refusalOf(answer)?.code === TOO_MANY_ORDERS;

/** Filters that an order can fail, by the page "Filters". */
const FILTERS: Readonly<Record<string, string>> = {
  PRICE_FILTER: 'its price is outside of the range or between the steps of the symbol',
  PERCENT_PRICE: 'its price is too far from the average price',
  PERCENT_PRICE_BY_SIDE: 'its price is too far from the average price',
  LOT_SIZE: 'its quantity is outside of the range or between the steps of the symbol',
  MARKET_LOT_SIZE: 'its quantity is outside of the range or between the steps of market orders',
  MIN_NOTIONAL: 'its value is smaller than the smallest of the symbol',
  NOTIONAL: 'its value is outside of the range of the symbol',
  MAX_POSITION: 'the account would hold more than the symbol allows',
  MAX_NUM_ORDERS: 'too many orders of the symbol are open',
  MAX_NUM_ALGO_ORDERS: 'too many stop orders of the symbol are open',
  MAX_NUM_ORDER_LISTS: 'too many order lists of the symbol are open',
  EXCHANGE_MAX_NUM_ORDERS: 'too many orders of the account are open',
  EXCHANGE_MAX_NUM_ALGO_ORDERS: 'too many stop orders of the account are open',
};

const MAX_REASON = 200;

/** Returns a sentence for the owner. Binance's messages name fields of the order, never the keys. */
export const reasonOf = (answer: Answer): string => {
  const text = refusalOf(answer)
    ?.msg.replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const filter = FILTERS[/^Filter failure: (\w+)/.exec(text ?? '')?.[1] ?? ''];
  if (filter !== undefined) return `Binance refused the order: ${filter}.`;
  return `Binance refused the order: ${text ? text.slice(0, MAX_REASON) : `status ${answer.status}`}`;
};

/** Tells whether the account lacks what an order needs, or other orders hold it. */
export const isUnavailable = (answer: Answer): boolean =>
  /insufficient balance/i.test(refusalOf(answer)?.msg ?? '');
