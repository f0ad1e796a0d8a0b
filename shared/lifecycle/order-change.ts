import { isDeepStrictEqual } from 'node:util';
import {
  findOrders,
  laterOrder,
  latestOrderOf,
  newOrderWrites,
  orderWrite,
  type StoredOrder,
} from '../data/books/orders.ts';
import { packLedger } from '../data/books/packed-ledger.ts';
import { findTradesBefore, tradeRemoval, tradeWrite } from '../data/books/trades.ts';
import type { TradingDeployment } from '../data/deployments/deployments.ts';
import type { Stageable } from '../data/deployments/staged-change.ts';
import type { ChangeDraft } from '../domain/changes/change-event.ts';
import { addRealized, applyOrderUpdate, type OrderOutcome } from '../domain/ledger/ledger-orders.ts';
import type { Ledger } from '../domain/ledger/ledger-state.ts';
import { phaseOf } from '../domain/ledger/read-ledger.ts';
import type { Realized } from '../domain/ledger/replay.ts';
import type { EngineFacts, OrderUpdate } from '../domain/orders/order-record.ts';
import { integerId } from '../ids.ts';
import type { Runtime } from '../runtime.ts';
import { orderDrafts, tradeDrafts } from './change-drafts.ts';
import type { Effect } from './effect.ts';

/** Result of applying a report on an order: the effect on the deployment, and the order afterwards. */
export interface OrderChange {
  readonly effect: Omit<Effect, 'notifications'>;
  readonly outcome: OrderOutcome;
  readonly order: StoredOrder;
}

/** Tells whether an order has the fill and the expected price of an entry of the slippage list. */
const hasSlippage = (order: StoredOrder): boolean =>
  order.filled_quantity !== '0' && order.expected_price !== null;

/** Tells whether an order was entered in the slippage list. */
const isSlippageListed = (known: StoredOrder | undefined): boolean =>
  known !== undefined && (known.slippage_listed === true || hasSlippage(known));

/** Returns a deployment with another ledger, and the phase that follows from it. */
export const withLedger = (deployment: TradingDeployment, ledger: Ledger): TradingDeployment => ({
  ...deployment,
  ledger: packLedger(ledger),
  phase: phaseOf(ledger),
});

/**
 * Returns the writes for trades that an event added or removed, the numbers of these trades and their change events. Reads
 * nothing unless a late event writes trades again.
 *
 * @param before the ledger before the event.
 */
export const tradeWrites = async (
  { store }: Runtime,
  deployment: TradingDeployment,
  before: Ledger,
  { trades, removed_trades }: Pick<OrderOutcome, 'trades' | 'removed_trades'>,
): Promise<{ writes: Stageable[]; numbers: number[]; changes: () => ChangeDraft[] }> => {
  const { deployment_id } = deployment;
  const { count } = before.head.trades;
  const numbers = trades.map(({ number }) => number);
  const again = numbers.filter((number) => number <= count);
  const known = await findTradesBefore(
    store,
    deployment_id,
    again.length > 0 ? [...again, ...removed_trades] : [],
  );
  return {
    writes: [
      ...trades.map((trade) => tradeWrite(deployment, trade, { before: known, isNew: trade.number > count })),
      ...removed_trades.map((number) => tradeRemoval(deployment_id, number)),
    ],
    numbers: [...numbers.filter((number) => number > count), ...removed_trades],
    changes: () => tradeDrafts(deployment, count, { trades, removed_trades }),
  };
};

/** Returns the writes for results that a late event moved between orders. Reads nothing unless there are some. */
export const realizedWrites = async (
  { store }: Runtime,
  { deployment_id }: TradingDeployment,
  realized: ReadonlyMap<string, Realized>,
): Promise<Stageable[]> => {
  const pointers = [...realized.keys()].map((client_order_id) => ({ deployment_id, client_order_id }));
  const orders = await findOrders(store, pointers);
  return orders.map((order) => {
    const more = realized.get(order.client_order_id);
    return orderWrite(more ? { ...order, ...addRealized(order, more) } : order);
  });
};

const shownAfter = (
  deployment: TradingDeployment,
  ledger: Ledger,
  order: StoredOrder,
): TradingDeployment => ({
  ...deployment,
  ledger: packLedger(ledger),
  phase: phaseOf(ledger),
  latest_order: laterOrder(deployment.latest_order, latestOrderOf(order)),
});

/** Returns the deployment after another report on an order; the same object if the report changes only the order. */
const afterReport = (
  deployment: TradingDeployment,
  before: Ledger,
  after: Ledger,
  order: StoredOrder,
): TradingDeployment => {
  const isSame =
    before === after &&
    isDeepStrictEqual(laterOrder(deployment.latest_order, latestOrderOf(order)), deployment.latest_order);
  return isSame ? deployment : shownAfter(deployment, after, order);
};

/**
 * Applies a report on an order of a trading deployment.
 *
 * @param known the stored order, if there is one; `facts` of the hub's own engine.
 * @param contractSize units per lot, for a symbol that the deployment does not know.
 * @returns undefined if nothing changes.
 */
export const changeOrder = async (
  runtime: Runtime,
  {
    deployment,
    ledger,
    known,
    facts,
  }: {
    readonly deployment: TradingDeployment;
    readonly ledger: Ledger;
    readonly known: StoredOrder | undefined;
    readonly facts?: EngineFacts | undefined;
  },
  update: OrderUpdate,
  contractSize?: string,
): Promise<OrderChange | undefined> => {
  const size = contractSize ?? deployment.contract_sizes[update.symbol] ?? '1';
  const outcome = applyOrderUpdate(ledger, known, update, size, facts);
  if (!outcome.changed) return undefined;
  const { deployment_id, strategy_id, mode, currency, orders_count } = deployment;
  const reported: StoredOrder = {
    order_id: known?.order_id ?? integerId(runtime.clock(), runtime.random),
    deployment_id,
    strategy_id,
    mode,
    currency,
    broker_symbol: known?.broker_symbol ?? null,
    close_value: known?.close_value ?? null,
    revision: known?.revision ?? 0,
    ...outcome.order,
  };
  const isListed = isSlippageListed(known);
  const order: StoredOrder =
    isListed && !hasSlippage(reported) ? { ...reported, slippage_listed: true } : reported;
  const trades = await tradeWrites(runtime, deployment, ledger, outcome);
  const elsewhere =
    outcome.realized_elsewhere.size === 0
      ? []
      : await realizedWrites(runtime, deployment, outcome.realized_elsewhere);
  return {
    outcome,
    order,
    effect: {
      deployment: known
        ? afterReport(deployment, ledger, outcome.ledger, order)
        : { ...shownAfter(deployment, outcome.ledger, order), orders_count: orders_count + 1 },
      ledger: outcome.ledger,
      order: known ? { ...order, revision: order.revision + 1 } : order,
      writes: known ? [orderWrite(order)] : newOrderWrites(order, orders_count),
      stageable: [...trades.writes, ...elsewhere],
      changes: () => [...orderDrafts(known, order), ...trades.changes()],
      entries: {
        ...(!known && { new_order: order.client_order_id }),
        ...(hasSlippage(order) && !isListed && { slipped_order: order.client_order_id }),
        trades: trades.numbers,
      },
    },
  };
};
