import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { priceText } from '../../shared/data/candles/last-prices.ts';
import { lastClosed } from '../../shared/data/candles/read-candles.ts';
import { asSeries, type Series } from '../../shared/data/candles/series.ts';
import type { TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { MAX_WAITING } from '../../shared/data/deployments/waiting-signals.ts';
import { ENGINE_COMMANDED, engineEvent } from '../../shared/data/engine/events.ts';
import { commandWrite } from '../../shared/data/engine/inputs.ts';
import { asDeploymentSetup } from '../../shared/data/engine/setups.ts';
import { InstrumentMemory } from '../../shared/data/instruments/instrument-memory.ts';
import { userSwitchCheck } from '../../shared/data/switches/switch-checks.ts';
import { switchesIn, switchKeys, thrownSwitch } from '../../shared/data/switches/switches.ts';
import { type Items, itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { barAt, barCount } from '../../shared/domain/candles/bars.ts';
import { wholeSteps } from '../../shared/domain/engine/account/sizing.ts';
import { signalIdOf } from '../../shared/domain/engine/running/entry-orders.ts';
import type { Ledger } from '../../shared/domain/ledger/ledger-state.ts';
import { MalformedEventError } from '../../shared/domain/malformed-event.ts';
import { type Decimal, decimal, scaled, toText } from '../../shared/domain/money.ts';
import { exceededText } from '../../shared/domain/risk/limit-texts.ts';
import { TIMEFRAMES, type Timeframe } from '../../shared/domain/strategies/strategies.ts';
import type { Effect } from '../../shared/lifecycle/effect.ts';
import { decideBooksReport } from '../../shared/lifecycle/reports/decide-books-report.ts';
import { type BooksReport, ORDER_UPDATED } from '../../shared/lifecycle/reports/report.ts';
import { exceededByOrder, withExpected } from '../../shared/lifecycle/risk-checks/check-bar.ts';
import type { Alert } from './alert.ts';

/** Time in milliseconds for which an order waits for a price: longer than any holidays of an exchange. */
const WAIT_MS = 10 * 86_400_000;

/** Order that a signal asks for. On paper it waits for the first price after its arrival. */
export interface AskedOrder {
  readonly client_order_id: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  /** Price that the sender expects, else the last one that the hub knows; null without both. */
  readonly price: string | null;
}

interface Sized {
  /** Names a quantity that was rounded to steps. */
  readonly note?: string | undefined;
  readonly side: AskedOrder['side'];
  readonly quantity: string;
  readonly closes: boolean;
}

/** Returns the quantity in a symbol once all that waits has filled; positive is long. */
const expectedIn = ({ waiting }: TradingDeployment, { head }: Ledger, symbol: string): Decimal => {
  let held = decimal(head.symbols[symbol]?.position?.quantity ?? '0');
  for (const order of waiting ?? []) {
    if (order.symbol !== symbol) continue;
    if (order.closes) held = decimal('0');
    else held = order.side === 'buy' ? held.plus(order.quantity) : held.minus(order.quantity);
  }
  return held;
};

/** Returns a quantity in whole steps of the account. @throws ValidationError for less than a step */
export const inSteps = (given: string, step: number): Pick<Sized, 'quantity' | 'note'> => {
  const steps = wholeSteps(Number(given) / step);
  const quantity = toText(scaled(decimal(steps).times(step)));
  const isSame = decimal(quantity).eq(given);
  if (steps > 0)
    return { quantity, note: isSame ? undefined : `Rounded down to steps of ${step}: quantity.` };
  throw invalidValue(['body', 'quantity'], `the smallest quantity is ${step}`, 'value_error.number.not_ge');
};

/** Returns whether an action only closes, and whether it may close a quantity that is held. */
export const closingOf = (
  action: Alert['action'],
  held: Decimal,
): { readonly closes: boolean; readonly fits: boolean } => ({
  closes: action !== 'buy' && action !== 'sell',
  fits: (action !== 'close_long' || held.gt(0)) && (action !== 'close_short' || held.lt(0)) && !held.eq(0),
});

/** Returns side and quantity. A signal against a position without a quantity closes it. */
const sizeOf = (held: Decimal, { action, quantity }: Alert, step: number): Sized => {
  const closing = held.gt(0) ? 'sell' : 'buy';
  const { closes, fits } = closingOf(action, held);
  if (closes && !fits) throw new HubError('position_closed', 'No such position is open.');
  const side = action === 'buy' || action === 'sell' ? action : closing;
  if (closes || (quantity === undefined && !held.eq(0) && side === closing)) {
    return { side, quantity: toText(held.abs()), closes: true };
  }
  if (quantity === undefined) {
    throw invalidValue(['body', 'quantity'], 'field required to open a position', 'value_error.missing');
  }
  return { side, ...inSteps(quantity, step), closes: false };
};

/** The candles of a symbol as an order meets them. */
interface Market {
  readonly series: Series | undefined;
  readonly timeframe: Timeframe;
  /** Smallest step of a quantity. */
  readonly step: number;
}

/** Reads what an order depends on right before it: the kill switches, the account and the newest bar. */
export const readMarket = async (
  { store }: Call,
  { deployment_id, user_id, broker_id }: TradingDeployment,
  symbol: string,
): Promise<Market & { readonly switches: ReturnType<typeof switchesIn> }> => {
  const scope = { user_id, broker_id };
  const items = await store.getMany(
    [
      ...switchKeys(scope),
      keys.deploymentSetup(deployment_id),
      // The setup names the series, but is read in the same call.
      ...TIMEFRAMES.map((timeframe) => keys.series(symbol, timeframe)),
    ],
    { consistent: true },
  );
  const setup = asDeploymentSetup(itemWith(items, keys.deploymentSetup(deployment_id)))?.setup;
  const leg = setup?.legs.find((one) => one.symbol === symbol);
  if (!setup || !leg) throw new Error('a deployment that takes signals has no account of a symbol');
  return {
    series: asSeries(itemWith(items, keys.series(symbol, leg.source))),
    timeframe: setup.timeframe,
    step: leg.size_step,
    switches: switchesIn(items, scope),
  };
};

/** Returns the moment of an order in the time of its bars, and the first start of a bar that may fill it. */
const timesOf = ({ is_demo }: TradingDeployment, { series, timeframe }: Market, now: number) => {
  const after = series ? lastClosed(series, timeframe) : 0;
  // The time of the demo market is not that of the clock.
  if (is_demo && series) return { at: series.last, after, from: series.last + 1 };
  return { at: now, after, from: Math.max(now, (series?.last ?? 0) + 1) };
};

export const newestClose = ({ series }: Market): string | undefined => {
  const newest = series && barAt(series.bars, barCount(series.bars) - 1);
  return newest && priceText(newest.close);
};

const openReport = (
  deployment_id: number,
  { price, ...order }: AskedOrder,
  { note, at }: { readonly note: string | undefined; readonly at: number },
): BooksReport =>
  ORDER_UPDATED.ofHub({
    ...order,
    deployment_id,
    sequence: 1,
    occurred_at: new Date(at).toISOString(),
    order_type: 'market',
    status: 'open',
    filled_quantity: '0',
    fees: '0',
    ...(price !== null && { expected_price: price }),
    ...(note !== undefined && { status_message: note }),
  });

/** Checks an order against the risk limits, and counts it. @throws HubError risk_limit */
const underLimits = (
  deployment: TradingDeployment,
  ledger: Ledger,
  { order, price, at }: { readonly order: AskedOrder; readonly price: string | null; readonly at: number },
): TradingDeployment => {
  if (!deployment.limits) return deployment;
  if (price === null) {
    throw new HubError('risk_limit', `The limits need a price of ${order.symbol}, and none is known.`);
  }
  const exceeded = exceededByOrder(deployment, ledger, { ...order, price }, at);
  if (exceeded) throw new HubError('risk_limit', `${exceededText(exceeded, deployment.currency)}.`);
  return withExpected(deployment, ledger, { ...order, price }, at);
};

/** @throws HubError signal_refused */
const requireRoom = ({ waiting = [] }: TradingDeployment): void => {
  if (waiting.length < MAX_WAITING) return;
  throw new HubError('signal_refused', `${MAX_WAITING} orders of signals wait for a price.`);
};

const instruments = new InstrumentMemory();

/**
 * Decides the order on paper of a signal: a market order that waits in the account of its symbol and fills at the first
 * price after its arrival. The price of the sender is kept as the expected one. Its transaction fails if the switch of the
 * user is thrown meanwhile.
 *
 * @throws HubError if a kill switch or a risk limit forbids the order, or the books refuse it.
 */
export const decideOrder = async (
  call: Call,
  deployment: TradingDeployment,
  alert: Alert,
  { now, items }: { readonly now: Date; readonly items: Items },
): Promise<{ readonly effect: Effect; readonly order: AskedOrder; readonly note: string | undefined }> => {
  const { deployment_id, version: number } = deployment;
  const { symbol } = alert;
  const market = await readMarket(call, deployment, symbol);
  if (thrownSwitch(market.switches)) {
    throw new HubError('kill_switch', 'The kill switch is thrown. No order leaves until it is re-armed.');
  }
  requireRoom(deployment);
  const ledger = unpackLedger(deployment.ledger);
  const sized = sizeOf(expectedIn(deployment, ledger, symbol), alert, market.step);
  const { side, quantity, closes } = sized;
  const isProtected = alert.stop !== undefined || alert.target !== undefined;
  const unkept = isProtected ? 'Paper keeps no stop and no target of a signal.' : undefined;
  const note = [alert.note, sized.note, unkept].filter((text) => text !== undefined).join(' ') || undefined;
  const newest = newestClose(market) ?? null;
  const price = alert.price ?? newest;
  const order = { client_order_id: signalIdOf(alert.digests[0]), symbol, side, quantity, price };
  const { at, after, from } = timesOf(deployment, market, now.getTime());
  const counted = closes
    ? deployment
    : underLimits(deployment, ledger, { order, price: newest ?? price, at });
  const effect = await openEffect(call, counted, openReport(deployment_id, order, { note, at }), {
    now,
    items,
  });
  const until = now.getTime() + WAIT_MS;
  const { client_order_id } = order;
  const waiting = { client_order_id, symbol, side, quantity, ...(closes && { closes }), until };
  const command = {
    client_order_id,
    side: side === 'buy' ? 1 : -1,
    quantity,
    closes,
    from,
    until: from + WAIT_MS,
    ...(price !== null && { expected: price }),
  } as const;
  return {
    order,
    note,
    effect: {
      ...effect,
      deployment: {
        ...effect.deployment,
        waiting: [...(deployment.waiting ?? []), waiting],
        last_hold: number,
      },
      at: new Date(at),
      writes: [
        ...(effect.writes ?? []),
        commandWrite(deployment_id, { number, type: 'order', symbol, after, order: command }),
        userSwitchCheck(market.switches),
      ],
      messages: [...(effect.messages ?? []), engineEvent(ENGINE_COMMANDED, deployment_id)],
    },
  };
};

/** Books the order as one that waits. @throws HubError signal_refused, changed_meanwhile */
const openEffect = async (
  call: Call,
  deployment: TradingDeployment,
  report: BooksReport,
  { now, items }: { readonly now: Date; readonly items: Items },
): Promise<Effect & { readonly deployment: TradingDeployment }> => {
  try {
    const effect = await decideBooksReport(call, deployment, report, {
      now,
      items,
      recalled: undefined,
      instruments,
    });
    if (effect?.deployment.kind === 'live') return { ...effect, deployment: effect.deployment };
    throw new HubError('changed_meanwhile', 'The order is booked already.');
  } catch (error) {
    if (!(error instanceof MalformedEventError)) throw error;
    throw new HubError('signal_refused', `The books refuse the order: ${error.message}.`, { cause: error });
  }
};
