import { findAllOrders } from '../../shared/data/books/orders.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { asSeries, newestBar, type Series } from '../../shared/data/candles/series.ts';
import { asDeployment, type TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { findInputs, type RecordedCommand } from '../../shared/data/engine/inputs.ts';
import { hubLegIn } from '../../shared/data/engine/market-clock.ts';
import type { AccountSub } from '../../shared/data/engine/subscriptions.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { movedPrice } from '../../shared/domain/engine/account/moved-price.ts';
import { commissionOf } from '../../shared/domain/engine/account/sizing.ts';
import { exitText } from '../../shared/domain/engine/running/reason-texts.ts';
import { settlingId } from '../../shared/domain/engine/running/settle-position.ts';
import type { Ledger } from '../../shared/domain/ledger/ledger-state.ts';
import { marketDaysDue } from '../../shared/domain/ledger/market-days.ts';
import { lastRate, markOf } from '../../shared/domain/ledger/marks.ts';
import { newestUnitsFrom, priceInUnitsHeld, unitsHeldFrom } from '../../shared/domain/ledger/splits.ts';
import { decimal, fromDouble, toText } from '../../shared/domain/money.ts';
import type { EngineFacts } from '../../shared/domain/orders/order-record.ts';
import { isFinalOrderStatus } from '../../shared/domain/orders/order-states.ts';
import { closeMarketDays } from '../../shared/lifecycle/close-days.ts';
import { changeDeployment } from '../../shared/lifecycle/deployment-change.ts';
import { decideBooksReport } from '../../shared/lifecycle/reports/decide-books-report.ts';
import { type BooksReport, ORDER_UPDATED } from '../../shared/lifecycle/reports/report.ts';
import { takeReport } from '../../shared/lifecycle/reports/take-report.ts';
import type { EngineRuntime } from './engine-runtime.ts';

const REASON = 'the deployment has failed';
/** Price of a close, and its time. */
interface Market {
  readonly price: number;
  readonly at: number;
  /** Last moment in the units of the price. */
  readonly until: number;
}

/** Returns whether commands since the last resume close everything. */
const isFlattened = (commands: readonly RecordedCommand[]): boolean => {
  const resumed = commands.findLastIndex(({ type }) => type === 'resume');
  return commands.slice(resumed + 1).some((command) => 'flatten' in command && command.flatten);
};

/** Cancels the orders of a symbol in the books: nothing fills them any more. */
const cancelOrders = async (engine: EngineRuntime, { deployment_id, symbol }: AccountSub): Promise<void> => {
  const orders = await findAllOrders(engine.store, deployment_id);
  for (const order of orders) {
    if (order.symbol !== symbol || isFinalOrderStatus(order.status)) continue;
    const { client_order_id, side, order_type, quantity, filled_quantity, average_price, fees } = order;
    await takeReport(
      engine,
      ORDER_UPDATED.ofHub({
        deployment_id,
        occurred_at: new Date(order.updated_at).toISOString(),
        client_order_id,
        // That of the account's own report of the end.
        sequence: Number(order.sequence) + 1,
        symbol,
        side,
        order_type,
        quantity,
        status: 'cancelled',
        status_message: REASON,
        filled_quantity,
        average_price,
        fees,
      }),
    );
  }
};

/** Reads the setup's series of a symbol; undefined without one. */
const readSeries = async (
  { store }: EngineRuntime,
  { deployment_id, symbol }: AccountSub,
): Promise<Series | undefined> => {
  const [setup] = await store.getMany([keys.deploymentSetup(deployment_id)], { consistent: true });
  const leg = hubLegIn(setup, symbol);
  if (!leg) return undefined;
  const [head] = await store.getMany([leg.series], { consistent: true });
  return asSeries(head);
};

/** Returns the newest close, in the units of the position; the last price in the books without bars. */
const marketOf = (series: Series | undefined, ledger: Ledger, symbol: string): Market | undefined => {
  const newest = series && newestBar(series);
  const until = series?.split ? series.split.at - 1 : Number.MAX_SAFE_INTEGER;
  const { position } = ledger.head.symbols[symbol] ?? {};
  if (!position) return undefined;
  if (newest) {
    const heldFrom = unitsHeldFrom(ledger, symbol, position);
    const price = Number(priceInUnitsHeld(fromDouble(newest.close), heldFrom, series.splits));
    return { price, at: newest.start, until };
  }
  const mark = markOf(ledger, symbol, position, Number.POSITIVE_INFINITY, 'always');
  return { price: Number(mark.price), at: mark.at, until };
};

/** Returns the report of a market order that closes a position, with the costs of the account. */
const closeReport = (
  { deployment_id, version }: TradingDeployment,
  ledger: Ledger,
  { symbol, paper: { settings } }: AccountSub,
  market: Market,
): BooksReport | undefined => {
  const position = ledger.head.symbols[symbol]?.position;
  if (!position) return undefined;
  const held = decimal(position.quantity);
  const side = held.gt(0) ? 1 : -1;
  const quantity = toText(held.abs());
  const price = movedPrice(market.price, -side, settings.slippage_rate);
  const rate = lastRate(ledger, symbol);
  return ORDER_UPDATED.ofHub({
    deployment_id,
    // Later than every booked fill. Before a split of the symbol, also if another symbol has later bars.
    occurred_at: new Date(Math.min(Math.max(market.at, ledger.head.at + 1), market.until)).toISOString(),
    client_order_id: settlingId(symbol, version),
    sequence: 1,
    symbol,
    side: side === 1 ? 'sell' : 'buy',
    order_type: 'market',
    quantity,
    expected_price: fromDouble(market.price),
    status: 'filled',
    status_message: exitText('flatten'),
    filled_quantity: quantity,
    average_price: fromDouble(price),
    fees: fromDouble(commissionOf(settings, Number(quantity), price)),
    ...(rate !== undefined && { rate }),
  });
};

/** Closes the position of a symbol in the books, at the newest close. Returns false while its series is split. */
const closePosition = async (engine: EngineRuntime, sub: AccountSub): Promise<boolean> => {
  const { deployment_id, symbol } = sub;
  const { store, memory } = engine;
  const [item] = await store.getMany([keys.deployment(deployment_id)], { consistent: true });
  const deployment = asDeployment(item);
  if (deployment?.kind !== 'live') return true;
  const known = unpackLedger(deployment.ledger);
  if (!known.head.symbols[symbol]?.position) return true;
  const series = await readSeries(engine, sub);
  if (series?.split?.started) return false;
  const market = marketOf(series, known, symbol);
  if (!market) return true;
  if (marketDaysDue(known, market.at) !== undefined) {
    await closeMarketDays(engine, deployment_id, market.at, memory.books);
  }
  let isSplit = false;
  await changeDeployment(engine, deployment_id, async (found, now, items) => {
    if (found?.kind !== 'live') return undefined;
    const ledger = unpackLedger(found.ledger);
    // Another worker has booked a split meanwhile: the price has old units.
    isSplit = newestUnitsFrom(ledger, symbol) !== newestUnitsFrom(known, symbol);
    const report = isSplit ? undefined : closeReport(found, ledger, sub, market);
    if (!report) return undefined;
    const facts: EngineFacts = { exit_reason: 'flatten' };
    const books = { now, items, recalled: undefined, instruments: memory.instruments, facts };
    const effect = await decideBooksReport(engine, found, report, books);
    return effect && { ...effect, at: new Date(report.detail.occurred_at) };
  });
  memory.books.forget(deployment_id);
  return !isSplit;
};

/**
 * Settles a paper account that has failed by the books: cancels its orders and, if a command closes everything, its
 * position at the newest close. Safe to repeat.
 *
 * @returns false if the position is closed later, as its series is being split.
 */
export const settlePaper = async (engine: EngineRuntime, sub: AccountSub): Promise<boolean> => {
  await cancelOrders(engine, sub);
  const { commands } = await findInputs(engine.store, sub.deployment_id);
  return !isFlattened(commands) || closePosition(engine, sub);
};
