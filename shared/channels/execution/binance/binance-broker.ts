import { decimal, toText } from '../../../domain/money.ts';
import { ADAPTER_FACTS } from '../../../domain/orders/execution-adapters.ts';
import type { AccountToOpen } from '../execution-adapter.ts';
import {
  BrokerLaterError,
  type BrokerOrder,
  type BrokerPosition,
  DuplicateOrderError,
  type ExecutionBroker,
  OrderRefusedError,
  OutcomeUnknownError,
} from '../execution-broker.ts';
import { isUnavailable, meaningOf, reasonOf } from './binance-errors.ts';
import {
  accountSchema,
  orderSchema,
  placedListSchema,
  priceSchema,
  restrictionsSchema,
} from './binance-fields.ts';
import { readRules } from './known-rules.ts';
import { paramsOf } from './order-params.ts';
import { type SpotCalls, spotCalls } from './spot-calls.ts';
import type { Answer, SpotCall } from './spot-exchange.ts';
import { exitCallOf, readPassed } from './spot-exits.ts';
import { partsOf, spotOrders } from './spot-orders.ts';
import { acceptedQuantity, type SymbolRules } from './symbol-rules.ts';

const later = (reason: string): Error => new BrokerLaterError(reason);
const unknown = (reason: string): Error => new OutcomeUnknownError(reason);

/** Reads whether a key may do what the hub needs, and nothing that it must not. */
const readBlock = async ({ read }: SpotCalls): Promise<string | undefined> => {
  const path = 'account/apiRestrictions';
  const found = await read(restrictionsSchema, { api: 'sapi', method: 'GET', path });
  if (!found) throw later('no restrictions of the key');
  if (found.enableWithdrawals) {
    return 'The key may withdraw money. Switch that off at Binance, or make a key that may only read and trade.';
  }
  return found.enableSpotAndMarginTrading
    ? undefined
    : 'The key may not trade. Enable spot trading for it at Binance.';
};

/** Spot API of Binance. Neither errors nor logs hold the keys. */
export const binanceBroker = (account: AccountToOpen): ExecutionBroker => {
  const { clock, environment } = account;
  const calls = spotCalls(account);
  const now = (): number => clock().getTime();
  const orders = spotOrders(calls, now);

  const rulesOf = async (symbol: string): Promise<SymbolRules> => {
    const rules = await readRules(calls, symbol, now());
    if (!rules) throw new OrderRefusedError(`Binance does not trade ${symbol}.`);
    return rules;
  };

  const readBalances = async () => {
    const params = { omitZeroBalances: true };
    const found = await calls.read(accountSchema, { api: 'private', method: 'GET', path: 'account', params });
    if (!found) throw later('no account');
    return found;
  };

  /** Places orders. @throws DuplicateOrderError, OutcomeUnknownError, the error of `refused` */
  const submit = async (
    call: Pick<SpotCall, 'path' | 'params'>,
    refused: (answer: Answer) => Promise<Error>,
    present: (body: unknown) => Promise<BrokerOrder | undefined>,
  ): Promise<BrokerOrder> => {
    const answer = await calls.send({ api: 'private', method: 'POST', ...call }, unknown);
    const meaning = meaningOf(answer);
    if (meaning === 'duplicate') throw new DuplicateOrderError();
    if (meaning !== undefined) throw await refused(answer);
    try {
      const placed = await present(answer.body);
      if (!placed) throw unknown('the answer is about another order');
      return placed;
    } catch (error) {
      // It is placed. A lookup reads the rest.
      throw error instanceof BrokerLaterError ? unknown(error.message) : error;
    }
  };

  return {
    place: async (order) => {
      const params = paramsOf(await rulesOf(order.symbol), order);
      const refused = async (answer: Answer): Promise<Error> => {
        const isHeld = isUnavailable(answer);
        return new OrderRefusedError(reasonOf(answer), { isBlocked: isHeld, isUnavailable: isHeld });
      };
      return submit({ path: 'order', params }, refused, async (body) => {
        const { data } = orderSchema.safeParse(body);
        return data?.clientOrderId === order.clientOrderId ? orders.present(data) : undefined;
      });
    },
    placeExit: async (exit) => {
      const refused = async (answer: Answer): Promise<Error> =>
        new OrderRefusedError(reasonOf(answer), {
          passed: await readPassed(calls, exit, answer),
          isUnavailable: isUnavailable(answer),
        });
      return submit(exitCallOf(await rulesOf(exit.symbol), exit), refused, async (body) => {
        const list = placedListSchema.safeParse(body).data?.orderReports;
        const single = list ? undefined : orderSchema.safeParse(body).data;
        const placed = list ? await orders.presentList(list) : single && (await orders.present(single));
        return placed?.clientOrderId === exit.clientOrderId ? placed : undefined;
      });
    },
    moveExit: async () => {
      // It could only be cancelled and placed again, and the stop would be gone if the second call fails.
      throw new OrderRefusedError('Binance moves no orders of a list.');
    },
    cancel: async (brokerOrderId) => {
      const params = partsOf(brokerOrderId);
      const answer = await calls.send({ api: 'private', method: 'DELETE', path: 'order', params }, later);
      const meaning = meaningOf(answer);
      if (meaning !== undefined && meaning !== 'missing') throw later(reasonOf(answer));
      return meaning === undefined;
    },
    findOrder: orders.find,
    findByBrokerId: orders.findById,
    listOpenOrders: orders.listOpen,
    findPosition: async (symbol) => {
      const [rules, { balances }] = await Promise.all([readRules(calls, symbol, now()), readBalances()]);
      const balance = rules && balances.find(({ asset }) => asset === rules.baseAsset);
      if (!balance) return undefined;
      const sellable = (quantity: string): string => acceptedQuantity(rules, 'market', quantity);
      const quantity = toText(decimal(balance.free).plus(balance.locked));
      // A rest below a step cannot be sold.
      if (sellable(quantity) === '0') return undefined;
      const params = { symbol };
      const last = await calls.read(priceSchema, {
        api: 'public',
        method: 'GET',
        path: 'ticker/price',
        params,
      });
      return {
        symbol,
        side: 'long',
        quantity,
        sellable: sellable(quantity),
        available: sellable(balance.free),
        price: last?.price,
      };
    },
    // An asset is a position of each pair that the hub trades.
    listPositions: async () => {
      const { balances } = await readBalances();
      return balances.flatMap(({ asset, free, locked }) =>
        (ADAPTER_FACTS.binance.currencies ?? []).map(
          (quote): BrokerPosition => ({
            symbol: `${asset}${quote}`,
            side: 'long',
            quantity: toText(decimal(free).plus(locked)),
            sellable: toText(decimal(free).plus(locked)),
            available: free,
            price: undefined,
          }),
        ),
      );
    },
    account: async () => {
      // The testnet has no endpoints of wallets.
      const isLive = environment === 'live';
      const [{ uid, canTrade }, block] = await Promise.all([
        readBalances(),
        isLive ? readBlock(calls) : undefined,
      ]);
      return {
        // Numbers of accounts are unique at a broker only.
        accountId: `binance-${uid}`,
        currency: 'USDT',
        blocked: canTrade ? block : 'Binance has suspended trading on the account.',
      };
    },
  };
};
