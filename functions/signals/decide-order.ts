import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { lastPriceKeys, lastPricesIn } from '../../shared/data/candles/last-prices.ts';
import type { TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { InstrumentMemory } from '../../shared/data/instruments/instrument-memory.ts';
import { userSwitchCheck } from '../../shared/data/switches/switch-checks.ts';
import { switchesIn, switchKeys, thrownSwitch } from '../../shared/data/switches/switches.ts';
import type { Items } from '../../shared/data/table/items.ts';
import { priceInUnitsOf, splitsUntil } from '../../shared/domain/ledger/last-prices.ts';
import { type Ledger, LedgerError } from '../../shared/domain/ledger/ledger-state.ts';
import { MalformedEventError } from '../../shared/domain/malformed-event.ts';
import { decimal, toText } from '../../shared/domain/money.ts';
import { exceededText } from '../../shared/domain/risk/limit-texts.ts';
import type { SeriesSplit } from '../../shared/domain/splits/split-bars.ts';
import type { Effect } from '../../shared/lifecycle/effect.ts';
import { decideBooksReport } from '../../shared/lifecycle/reports/decide-books-report.ts';
import { type BooksReport, ORDER_UPDATED } from '../../shared/lifecycle/reports/report.ts';
import { type Restated, restatePosition, withNotices } from '../../shared/lifecycle/restate-position.ts';
import { exceededByOrder } from '../../shared/lifecycle/risk-checks/check-bar.ts';
import type { Alert } from './alert.ts';
import { signalOrderId } from './repeats.ts';

/** Age in milliseconds up to which the hub's own price is taken before that of a signal. */
const FRESH_MS = 3 * 60_000;

/** Order on paper that a signal led to. */
export interface PaperOrder {
  readonly client_order_id: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  readonly price: string;
}

/** Returns side and quantity. A signal against a position without a quantity closes it. */
const sizeOf = (
  { head }: Ledger,
  { action, symbol, quantity }: Alert,
): Pick<PaperOrder, 'side' | 'quantity'> => {
  const held = decimal(head.symbols[symbol]?.position?.quantity ?? '0');
  const closing = held.gt(0) ? 'sell' : 'buy';
  if (action === 'close' && held.eq(0)) throw new HubError('position_closed', 'No position is open.');
  const side = action === 'close' ? closing : action;
  if (action === 'close' || (quantity === undefined && !held.eq(0) && side === closing)) {
    return { side, quantity: toText(held.abs()) };
  }
  if (quantity === undefined) {
    throw invalidValue(['body', 'quantity'], 'field required to open a position', 'value_error.missing');
  }
  return { side, quantity };
};

/** Reads what an order depends on right before it: the kill switches and the hub's own price. */
const readMarket = async (
  { store, clock }: Call,
  { user_id, broker_id }: TradingDeployment,
  symbol: string,
) => {
  const scope = { user_id, broker_id };
  const items = await store.getMany([...switchKeys(scope), ...lastPriceKeys([symbol])], { consistent: true });
  const now = clock();
  const last = lastPricesIn(items, [symbol], now).get(symbol);
  const switches = switchesIn(items, scope);
  return {
    thrown: thrownSwitch(switches),
    switchCheck: userSwitchCheck(switches),
    price: last && now.getTime() - last.at <= FRESH_MS ? priceInUnitsOf(last, now.getTime()) : undefined,
    splits: last ? splitsUntil(last, now.getTime()) : [],
  };
};

const reportOf = (
  deployment_id: number,
  { price, ...order }: PaperOrder,
  { note, now }: { readonly note: string | undefined; readonly now: Date },
): BooksReport => {
  return ORDER_UPDATED.ofHub({
    ...order,
    deployment_id,
    sequence: 1,
    occurred_at: now.toISOString(),
    order_type: 'market',
    status: 'filled',
    filled_quantity: order.quantity,
    average_price: price,
    fees: '0',
    expected_price: price,
    ...(note !== undefined && { status_message: note }),
  });
};

/** Books the splits that the position has not. @throws HubError signal_refused */
const restated = (
  deployment: TradingDeployment,
  symbol: string,
  splits: readonly SeriesSplit[],
): Restated => {
  try {
    return restatePosition(deployment, symbol, splits);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new HubError('signal_refused', `The books refuse a split: ${error.message}.`, { cause: error });
  }
};

const instruments = new InstrumentMemory();

/**
 * Decides the order on paper of a signal: a market order that fills at once, at the hub's own price if it has a new
 * one, else at the price of the signal. Its transaction fails if the switch of the user is thrown meanwhile.
 *
 * @throws HubError if a kill switch or a risk limit forbids the order, or the books refuse it.
 */
export const decideOrder = async (
  call: Call,
  given: TradingDeployment,
  alert: Alert,
  { now, items }: { readonly now: Date; readonly items: Items },
): Promise<{ readonly effect: Effect; readonly order: PaperOrder }> => {
  const { deployment_id } = given;
  const { symbol } = alert;
  const market = await readMarket(call, given, symbol);
  if (market.thrown) {
    throw new HubError('kill_switch', 'The kill switch is thrown. No order leaves until it is re-armed.');
  }
  const { deployment, ledger, notices } = restated(given, symbol, market.splits);
  const size = sizeOf(ledger, alert);
  const price = market.price ?? alert.price;
  if (price === undefined) {
    throw invalidValue(['body', 'price'], 'field required: the hub has no new price', 'value_error.missing');
  }
  const booked: TradingDeployment =
    market.price === undefined ? { ...deployment, own_prices: true } : deployment;
  const order = { client_order_id: signalOrderId(alert.digests[0]), symbol, ...size, price };
  const exceeded = exceededByOrder(deployment, ledger, order, now.getTime());
  if (exceeded) throw new HubError('risk_limit', `${exceededText(exceeded, deployment.currency)}.`);
  try {
    const report = reportOf(deployment_id, order, { note: alert.note, now });
    const known = { now, items, recalled: undefined, instruments };
    const effect = await decideBooksReport(call, booked, report, known);
    if (!effect) throw new HubError('changed_meanwhile', 'The order is booked already.');
    const writes = [...(effect.writes ?? []), market.switchCheck];
    return { effect: withNotices({ ...effect, writes }, notices), order };
  } catch (error) {
    if (error instanceof MalformedEventError) {
      throw new HubError('signal_refused', `The books refuse the order: ${error.message}.`, { cause: error });
    }
    throw error;
  }
};
