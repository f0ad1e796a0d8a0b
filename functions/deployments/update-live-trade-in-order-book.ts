import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { orderWrite } from '../../shared/data/books/orders.ts';
import { liveDeploymentOrderBookOut, presentOrder } from '../../shared/records/order.ts';
import { changeOwnOrder } from './commands/own-order.ts';

const MAX_SYMBOL = 64;

/** Reads a broker's symbol, which may have any form. @throws ValidationError */
const parseSymbol = (text: string): string => {
  const symbol = text.trim();
  const invalid = (msg: string, type: string, ctx?: { limit_value: number }) =>
    invalidValue(['query', 'symbol'], msg, type, ctx);
  if (symbol === '') {
    const msg = 'ensure this value has at least 1 characters';
    throw invalid(msg, 'value_error.any_str.min_length', { limit_value: 1 });
  }
  if (symbol.length > MAX_SYMBOL) {
    const msg = `ensure this value has at most ${MAX_SYMBOL} characters`;
    throw invalid(msg, 'value_error.any_str.max_length', { limit_value: MAX_SYMBOL });
  }
  if (/\p{C}/u.test(symbol)) throw invalid('value is not a valid symbol', 'value_error.symbol');
  return symbol;
};

export const updateLiveTradeInOrderBook = defineOperation({
  method: 'POST',
  path: '/update_live_trade_in_order_book',
  name: 'update_live_trade_in_order_book',
  summary: 'Correct the broker symbol of an order',
  description:
    'Stores the broker’s symbol with the order. The books keep the symbol that the engine reports.',
  caller: 'user',
  scope: 'trade:paper',
  input: { query: z.object({ user_id: z.string(), ob: integer(), symbol: z.string() }) },
  output: liveDeploymentOrderBookOut,
  errors: ['order_unknown', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId, ob, symbol } }, call) => {
    const broker_symbol = parseSymbol(symbol);
    return changeOwnOrder(call, userId, ob, async (deployment, before) => {
      const order = { ...before, broker_symbol };
      const effect = { deployment, notifications: [], writes: [orderWrite(order)] };
      return { effect, result: presentOrder(order) };
    });
  },
});
