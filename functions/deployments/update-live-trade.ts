import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { orderWrite } from '../../shared/data/books/orders.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import {
  hasRealOrders,
  isHubRun,
  type TradingDeployment,
} from '../../shared/data/deployments/deployments.ts';
import { domainEvent } from '../../shared/data/deployments/domain-events.ts';
import { ENGINE_ACCOUNTS_DUE, engineEvent } from '../../shared/data/engine/events.ts';
import type { Item } from '../../shared/data/table/attributes.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { instrumentSchema } from '../../shared/domain/instruments/instrument-records.ts';
import { isAlwaysPositive } from '../../shared/domain/instruments/instruments.ts';
import { manualClose, manualIdOf } from '../../shared/domain/ledger/manual-close.ts';
import { lastRate } from '../../shared/domain/ledger/marks.ts';
import { decimal } from '../../shared/domain/money.ts';
import { changeOrder } from '../../shared/lifecycle/order-change.ts';
import { parseAmount, requireNotNegative } from '../../shared/records/amounts.ts';
import { liveDeploymentOrderBookOut, presentOrder } from '../../shared/records/order.ts';
import { requireOwnerOfReal } from './accounts/own-real.ts';
import { hubOf, inputWrites } from './commands/hub-inputs.ts';
import { hubKeys } from './commands/hub-keys.ts';
import { changeOwnOrder } from './commands/own-order.ts';

const nothingOpen = (): HubError => new HubError('position_closed', 'This order has no open position.');

/** Tells whether the catalogue's instrument always has a positive price. */
const isAlwaysAboveZero = ({ prediction_market }: TradingDeployment, item: Item | undefined): boolean =>
  item !== undefined && !prediction_market && isAlwaysPositive(instrumentSchema.parse(item).asset_class);

export const updateLiveTrade = defineOperation({
  method: 'POST',
  path: '/update_live_trade',
  name: 'update_live_trade',
  summary: 'Close the position of an order by hand',
  description:
    'Records that the owner closed the open position of the order at close_value, as a filled market order in the other direction. ' +
    'Fills in the other direction close the oldest fills first. Without an open position, 409. ' +
    'close_value may be zero, or negative if the market has negative prices. An event notifies the engine; the hub’s own engine closes the trade before its next bar. ' +
    'For real orders of the hub it requires the session of the owner. Returns the order.',
  caller: 'user',
  scope: 'trade:paper',
  input: { query: z.object({ user_id: z.string(), order_id: integer(), close_value: z.string() }) },
  output: liveDeploymentOrderBookOut,
  errors: [
    'order_unknown',
    'platform_token_insufficient',
    'position_closed',
    'state_conflict',
    'changed_meanwhile',
  ],
  table: 'write',
  handler: async ({ query: { user_id: userId, order_id: orderId, close_value } }, call) => {
    const loc = ['query', 'close_value'];
    const price = parseAmount(close_value, loc);
    const isNegative = decimal(price).lt(0);
    let attempts = 0;
    return changeOwnOrder(
      call,
      userId,
      orderId,
      async (deployment, before, now, items) => {
        const isReal = hasRealOrders(deployment);
        // The hub no longer manages the stops of a trade that is closed in the books.
        if (isReal) requireOwnerOfReal(call, deployment);
        const instrument = itemWith(items, keys.instrument(before.symbol));
        if (isNegative && isAlwaysAboveZero(deployment, instrument)) requireNotNegative(price, loc);
        const ledger = unpackLedger(deployment.ledger);
        attempts += 1;
        const hub = isHubRun(deployment) ? hubOf(deployment, before, items, ledger, now) : undefined;
        const marketAt = isReal ? undefined : hub?.at;
        // An order with later fills can be closed again.
        const clientOrderId = manualIdOf(orderId, before.close_value === null ? undefined : before.revision);
        const closing = manualClose(ledger, before, {
          client_order_id: clientOrderId,
          price,
          // Later than every booked fill, even if the engine's clock is ahead. Before a split of the symbol: the quantity
          // has old units, also if another symbol has later bars.
          occurred_at: new Date(
            Math.min(
              Math.max(marketAt ?? now.getTime(), ledger.head.at + 1),
              hub?.until ?? Number.MAX_SAFE_INTEGER,
            ),
          ).toISOString(),
        });
        if (!closing) throw nothingOpen();
        const { update } = closing;
        const rate = lastRate(ledger, before.symbol);
        const change = await changeOrder(
          call,
          { deployment, ledger: closing.ledger, known: undefined },
          { ...update, ...(rate !== undefined && { rate }) },
        );
        if (!change) throw nothingOpen();
        const order = { ...before, close_value: price };
        const { effect } = change;
        const { symbol, side, quantity, client_order_id } = update;
        const closed = { client_order_id, closes: before.client_order_id, symbol, side, quantity, price };
        return {
          effect: {
            ...effect,
            notifications: [],
            writes: [
              ...(effect.writes ?? []),
              orderWrite(order),
              ...(hub
                ? await inputWrites(call, deployment, hub, {
                    order: before,
                    client_order_id: clientOrderId,
                    price,
                    isRepeated: attempts > 1,
                  })
                : []),
            ],
            ...(isReal && { messages: [engineEvent(ENGINE_ACCOUNTS_DUE, deployment.deployment_id)] }),
            ...(marketAt !== undefined && { at: new Date(marketAt) }),
            ...(!hub && { messages: [domainEvent('Position Closed', effect.deployment, now, closed)] }),
          },
          result: presentOrder(order),
        };
      },
      ({ deployment_id, symbol }) => [
        ...hubKeys(deployment_id, symbol),
        // Only a price below zero depends on the instrument.
        ...(isNegative && symbol !== undefined ? [keys.instrument(symbol)] : []),
      ],
    );
  },
});
