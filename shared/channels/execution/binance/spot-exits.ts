import { decimal } from '../../../domain/money.ts';
import { type ExitToPlace, OrderRefusedError } from '../execution-broker.ts';
import { refusalOf } from './binance-errors.ts';
import { priceSchema } from './binance-fields.ts';
import { paramsOf } from './order-params.ts';
import type { SpotCalls } from './spot-calls.ts';
import type { Answer } from './spot-exchange.ts';
import { type SymbolRules, withAcceptedAmounts } from './symbol-rules.ts';

/** Call that places an exit. */
interface ExitCall {
  readonly path: 'order' | 'orderList/oco';
  readonly params: Readonly<Record<string, string>>;
}

/** Ids of an exit begin with it. Those of the other orders of its OCO differ by one letter. */
const EXIT = /^hubx/;

const shared = ({ clientOrderId, symbol, assetClass, side, quantity }: ExitToPlace) => ({
  clientOrderId,
  symbol,
  assetClass,
  side,
  quantity,
  timeInForce: 'gtc' as const,
});

const ocoParams = (rules: SymbolRules, exit: ExitToPlace): Readonly<Record<string, string>> => {
  if (!rules.ocoAllowed) throw new OrderRefusedError(`Binance takes no order lists of ${rules.symbol}.`);
  const { stopPrice, targetPrice } = exit;
  const { quantity, limitPrice = '' } = withAcceptedAmounts(rules, {
    ...shared(exit),
    type: 'limit',
    limitPrice: targetPrice,
  });
  // A stop becomes an order at the market, which may have coarser steps.
  const stop = withAcceptedAmounts(rules, { ...shared(exit), quantity, type: 'stop', stopPrice });
  return {
    symbol: exit.symbol,
    listClientOrderId: exit.clientOrderId.replace(EXIT, 'hubl'),
    side: 'SELL',
    quantity: stop.quantity,
    aboveType: 'LIMIT_MAKER',
    aboveClientOrderId: exit.clientOrderId,
    abovePrice: limitPrice,
    belowType: 'STOP_LOSS',
    belowClientOrderId: exit.clientOrderId.replace(EXIT, 'hubs'),
    belowStopPrice: stop.stopPrice ?? '',
    newOrderRespType: 'RESULT',
  };
};

/** Returns the call that places an exit. @throws OrderRefusedError */
export const exitCallOf = (rules: SymbolRules, exit: ExitToPlace): ExitCall => {
  const { kind, side, stopPrice, targetPrice, limitPrice } = exit;
  if (side !== 'sell') throw new OrderRefusedError('Binance has no short positions.');
  if (kind === 'oco') return { path: 'orderList/oco', params: ocoParams(rules, exit) };
  const prices =
    kind === 'target'
      ? { type: 'limit' as const, limitPrice: targetPrice }
      : { type: kind, stopPrice, ...(kind === 'stop_limit' && { limitPrice }) };
  return { path: 'order', params: paramsOf(rules, { ...shared(exit), ...prices }) };
};

/** Messages of levels that the price has passed, from the page "Error codes". */
const PASSED = /trigger immediately|immediately match|relationship of the prices/i;

/** Returns the level of a refused exit that the price has passed, by the last price. @throws BrokerLaterError */
export const readPassed = async (
  { read }: SpotCalls,
  { symbol, stopPrice, targetPrice }: ExitToPlace,
  answer: Answer,
): Promise<'stop' | 'target' | undefined> => {
  const text = refusalOf(answer)?.msg ?? '';
  if (!PASSED.test(text)) return undefined;
  if (stopPrice === undefined) return 'target';
  if (targetPrice === undefined) return 'stop';
  const params = { symbol };
  const last = await read(priceSchema, { api: 'public', method: 'GET', path: 'ticker/price', params });
  if (!last) return undefined;
  if (decimal(last.price).lte(stopPrice)) return 'stop';
  return decimal(last.price).gte(targetPrice) ? 'target' : undefined;
};
