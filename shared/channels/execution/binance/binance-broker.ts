import { decimal, toText } from '../../../domain/money.ts';
import type { AccountToOpen } from '../execution-adapter.ts';
import {
  type BrokerAccount,
  BrokerLaterError,
  type BrokerOrder,
  DuplicateOrderError,
  type ExecutionBroker,
  OrderRefusedError,
  OutcomeUnknownError,
} from '../execution-broker.ts';
import { isHeldByOthers, meaningOf, reasonOf } from './binance-errors.ts';
import {
  accountSchema,
  averagePriceOf,
  openOrdersSchema,
  orderSchema,
  restrictionsSchema,
  type SpotOrder,
} from './binance-fields.ts';
import { readRules } from './known-rules.ts';
import { paramsOf } from './order-params.ts';
import { type SpotCalls, spotCalls } from './spot-calls.ts';
import { readFees, readFills } from './spot-fees.ts';
import { acceptedQuantity, type SymbolRules } from './symbol-rules.ts';

/** Time in which a lookup may not find an order. Binance itself refuses a call five seconds after it was made. */
const APPEARS_WITHIN_MS = 30_000;
/** The list of all open orders has a weight of 80, a lookup one of 4. */
const LOOKUPS_PER_LIST = 20;

const later = (reason: string): Error => new BrokerLaterError(reason);
const unknown = (reason: string): Error => new OutcomeUnknownError(reason);

/** Reads whether the account and its key may do what the hub needs, and nothing that it must not. */
const readBlock = async ({ read }: SpotCalls): Promise<string | undefined> => {
  const found = await read(restrictionsSchema, {
    api: 'sapi',
    method: 'GET',
    path: 'account/apiRestrictions',
  });
  if (!found) throw later('no restrictions of the key');
  if (found.enableWithdrawals) {
    return 'The key may withdraw money. Switch that off at Binance, or make a key that may only read and trade.';
  }
  return found.enableSpotAndMarginTrading
    ? undefined
    : 'The key may not trade. Enable spot trading for it at Binance.';
};

/**
 * Spot API of Binance. An id of a filled order may be used again there, so that an order whose outcome is unknown is
 * placed again only when a lookup is certain to find it.
 */
export const binanceBroker = (account: AccountToOpen): ExecutionBroker => {
  const { clock, environment } = account;
  const calls = spotCalls(account);
  const now = (): number => clock().getTime();

  const rulesOf = async (symbol: string): Promise<SymbolRules> => {
    const rules = await readRules(calls, symbol, now());
    if (!rules) throw new OrderRefusedError(`Binance does not trade ${symbol}.`);
    return rules;
  };

  const toOrder = async (order: SpotOrder, clientOrderId: string): Promise<BrokerOrder> => {
    const fills = await readFills(calls, order, now());
    const rules = fills.length > 0 ? await readRules(calls, order.symbol, now()) : undefined;
    return {
      clientOrderId,
      brokerOrderId: order.orderId,
      symbol: order.symbol,
      status: order.status,
      brokerStatus: order.brokerStatus,
      quantity: order.origQty,
      filledQuantity: order.executedQty,
      averagePrice: averagePriceOf(order, fills),
      ...(rules && { fees: await readFees(calls, order, fills, rules) }),
      updatedAt: order.updatedAt,
    };
  };

  const readAccount = async () => {
    const found = await calls.read(accountSchema, {
      api: 'private',
      method: 'GET',
      path: 'account',
      params: { omitZeroBalances: true },
    });
    if (!found) throw later('no account');
    return found;
  };

  return {
    appearsWithinMs: APPEARS_WITHIN_MS,
    lookupsPerList: LOOKUPS_PER_LIST,
    place: async (order) => {
      const params = paramsOf(await rulesOf(order.symbol), order);
      const answer = await calls.send({ api: 'private', method: 'POST', path: 'order', params }, unknown);
      const meaning = meaningOf(answer);
      if (meaning === 'duplicate') throw new DuplicateOrderError();
      if (meaning !== undefined) {
        throw new OrderRefusedError(reasonOf(answer), { isBlocked: isHeldByOthers(answer) });
      }
      const { data } = orderSchema.safeParse(answer.body);
      if (data?.clientOrderId !== order.clientOrderId) throw unknown('the answer is about another order');
      try {
        return await toOrder(data, order.clientOrderId);
      } catch (error) {
        // It is placed. The lookup of the next attendance reads the rest.
        throw error instanceof BrokerLaterError ? unknown(error.message) : error;
      }
    },
    cancel: async (orderId, symbol) => {
      const params = { symbol, orderId };
      const answer = await calls.send({ api: 'private', method: 'DELETE', path: 'order', params }, later);
      const meaning = meaningOf(answer);
      if (meaning !== undefined && meaning !== 'missing') throw later(reasonOf(answer));
      return meaning === undefined;
    },
    findOrder: async (clientOrderId, symbol) => {
      const params = { symbol, origClientOrderId: clientOrderId };
      const found = await calls.read(orderSchema, { api: 'private', method: 'GET', path: 'order', params });
      // The answer to a lookup of a cancelled order may have the id of the cancel.
      return found && toOrder(found, clientOrderId);
    },
    listOpenOrders: async (isOwn) => {
      const bodies =
        (await calls.read(openOrdersSchema, { api: 'private', method: 'GET', path: 'openOrders' })) ?? [];
      const orders: BrokerOrder[] = [];
      const unreadable: string[] = [];
      for (const body of bodies) {
        if (!body || !isOwn(body.clientOrderId)) continue;
        const { data } = orderSchema.safeParse(body);
        if (data) orders.push(await toOrder(data, data.clientOrderId));
        else unreadable.push(body.clientOrderId);
      }
      return { orders: orders.sort((one, other) => one.updatedAt - other.updatedAt), unreadable };
    },
    findPosition: async (symbol) => {
      const [rules, { balances }] = await Promise.all([readRules(calls, symbol, now()), readAccount()]);
      const balance = rules && balances.find(({ asset }) => asset === rules.baseAsset);
      if (!balance) return undefined;
      const { free, locked } = balance;
      const sellable = (quantity: string): string => acceptedQuantity(rules, 'market', quantity);
      // What is smaller than a step cannot be sold.
      if (sellable(toText(decimal(free).plus(locked))) === '0') return undefined;
      return { symbol, side: 'long', available: sellable(free) };
    },
    account: async (): Promise<BrokerAccount> => {
      // The testnet has no endpoints of wallets.
      const isLive = environment === 'live';
      const [{ uid, canTrade }, block] = await Promise.all([
        readAccount(),
        isLive ? readBlock(calls) : undefined,
      ]);
      return {
        accountId: uid,
        currency: 'USDT',
        blocked: canTrade ? block : 'Binance has suspended trading on the account.',
      };
    },
  };
};
