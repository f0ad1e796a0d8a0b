import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { unpackLedger } from '../../shared/data/books/packed-ledger.ts';
import { openOrders } from '../../shared/data/books/summary.ts';
import type { TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { eventDigestWrite } from '../../shared/data/deployments/event-digests.ts';
import { ENGINE_ACCOUNTS_DUE, engineEvent } from '../../shared/data/engine/events.ts';
import { signalWrite } from '../../shared/data/engine/real-inputs.ts';
import type { SignalHook } from '../../shared/data/signals/signal-hooks.ts';
import { userSwitchCheck } from '../../shared/data/switches/switch-checks.ts';
import { thrownSwitch } from '../../shared/data/switches/switches.ts';
import { readTotals } from '../../shared/data/users/risk-totals.ts';
import { signalIdOf } from '../../shared/domain/engine/running/entry-orders.ts';
import type { Ledger } from '../../shared/domain/ledger/ledger-state.ts';
import { decimal, toText } from '../../shared/domain/money.ts';
import { exceededText } from '../../shared/domain/risk/limit-texts.ts';
import { checkOverall } from '../../shared/domain/risk/overall.ts';
import { overallText } from '../../shared/domain/risk/overall-texts.ts';
import type { Effect } from '../../shared/lifecycle/effect.ts';
import { exceededByOrder } from '../../shared/lifecycle/risk-checks/check-bar.ts';
import { heldIn } from '../../shared/lifecycle/risk-checks/judge-order.ts';
import { type Alert, MAX_AGE_MS } from './alert.ts';
import { type AskedOrder, closingOf, inSteps, newestClose, readMarket } from './decide-order.ts';
import { requireLimits } from './real-terms.ts';

/** Order of a signal for the account that the engine keeps. */
interface Asked {
  readonly side: AskedOrder['side'];
  readonly quantity: string;
  /** Side of the positions that it closes, if it opens nothing: 0 for both. */
  readonly closes: 1 | -1 | 0 | undefined;
  /** Names a quantity that was rounded to steps. */
  readonly note?: string | undefined;
}

const CLOSED_SIDES = { close: 0, close_long: 1, close_short: -1 } as const;

/**
 * Returns whether orders may still open a position: an entry in a symbol is on its way to the broker, or an order is at the
 * broker, such as the close of one of two trades that are flat together.
 */
const isWorking = ({ risk }: TradingDeployment, ledger: Ledger, symbol: string): boolean =>
  openOrders(ledger) > 0 || Object.values(risk?.entering ?? {}).some((entry) => entry.symbol === symbol);

/** Returns what a signal asks for. A close also ends entries that are on their way. @throws HubError, ValidationError */
const askedOf = (deployment: TradingDeployment, ledger: Ledger, alert: Alert, step: number): Asked => {
  const { action, symbol } = alert;
  const held = heldIn(ledger, symbol);
  const closing = held.gt(0) ? 'sell' : 'buy';
  if (action !== 'buy' && action !== 'sell') {
    if (!closingOf(action, held).fits && !isWorking(deployment, ledger, symbol)) {
      throw new HubError('position_closed', 'No such position is open.');
    }
    return { side: closing, quantity: toText(held.abs()), closes: CLOSED_SIDES[action] };
  }
  if (alert.quantity !== undefined) {
    return { side: action, ...inSteps(alert.quantity, step), closes: undefined };
  }
  if (!held.eq(0) && action === closing) {
    return { side: action, quantity: toText(held.abs()), closes: held.gt(0) ? 1 : -1 };
  }
  throw invalidValue(['body', 'quantity'], 'field required to open a position', 'value_error.missing');
};

/** @throws HubError signal_refused */
const requireCap = ({ max_quantity }: SignalHook, quantity: string): void => {
  if (max_quantity === undefined || decimal(quantity).gt(max_quantity)) {
    throw new HubError(
      'signal_refused',
      `The address takes orders of at most ${max_quantity ?? '0'}, and this is one of ${quantity}.`,
    );
  }
};

/** Requires that a stop and a target lie on their sides of the price. @throws ValidationError */
const requireLevels = ({ stop, target }: Alert, side: AskedOrder['side'], price: string): void => {
  const [below, above] = side === 'buy' ? [stop, target] : [target, stop];
  const names = side === 'buy' ? (['stop', 'target'] as const) : (['target', 'stop'] as const);
  if (below !== undefined && !decimal(below).lt(price)) {
    throw invalidValue(['body', names[0]], `must be below the price of ${price}`, 'value_error.level');
  }
  if (above !== undefined && !decimal(above).gt(price)) {
    throw invalidValue(['body', names[1]], `must be above the price of ${price}`, 'value_error.level');
  }
};

/** @throws HubError risk_limit */
const requireWithinLimits = (
  deployment: TradingDeployment,
  ledger: Ledger,
  order: AskedOrder & { readonly price: string },
  now: Date,
): void => {
  const exceeded = exceededByOrder(deployment, ledger, order, now.getTime());
  if (exceeded) throw new HubError('risk_limit', `${exceededText(exceeded, deployment.currency)}.`);
};

/** @throws HubError risk_limit */
const requireWithinOverall = async (
  { store }: Call,
  { limits, user_id, currency, contract_sizes }: TradingDeployment,
  { symbol, quantity, price }: AskedOrder & { readonly price: string },
  now: Date,
): Promise<void> => {
  const all = limits?.all;
  if (!all) return;
  const value = decimal(quantity)
    .times(price)
    .times(contract_sizes[symbol] ?? '1');
  const entry = { currency, value, at: now.getTime() };
  const exceeded = checkOverall(all, await readTotals(store, user_id), entry);
  if (exceeded) throw new HubError('risk_limit', `${overallText(exceeded, all.currency)}.`);
};

/**
 * Decides a signal for real orders: one transaction hands it to the account of its symbol, which asks the broker as it does
 * for rules, and marks it, so that no repeat orders again. Limits are checked here, for an answer at once, and count when
 * the order is requested. The price of the sender decides nothing: the newest one of the hub does.
 *
 * @throws HubError if a kill switch, a limit or the address forbids the order.
 */
export const decideRealOrder = async (
  call: Call,
  deployment: TradingDeployment,
  alert: Alert,
  { now, hook }: { readonly now: Date; readonly hook: SignalHook },
): Promise<{ readonly effect: Effect; readonly order: AskedOrder; readonly note: string | undefined }> => {
  const { deployment_id, version: number } = deployment;
  const {
    symbol,
    digests: [digest],
  } = alert;
  requireLimits(deployment);
  const market = await readMarket(call, deployment, symbol);
  if (thrownSwitch(market.switches)) {
    throw new HubError('kill_switch', 'The kill switch is thrown. No order leaves until it is re-armed.');
  }
  const ledger = unpackLedger(deployment.ledger);
  const { side, quantity, closes, note } = askedOf(deployment, ledger, alert, market.step);
  const price = newestClose(market);
  if (price === undefined) throw new HubError('risk_limit', `No price of ${symbol} is known to judge by.`);
  const order = { client_order_id: signalIdOf(digest), symbol, side, quantity, price };
  if (closes === undefined) {
    await requireWithinOverall(call, deployment, order, now);
    requireCap(hook, quantity);
    requireLevels(alert, side, price);
    requireWithinLimits(deployment, ledger, order, now);
  }
  const received_at = call.now.getTime();
  const { stop, target, time = call.now.toISOString() } = alert;
  const signal = {
    number,
    type: 'signal',
    symbol,
    client_order_id: order.client_order_id,
    side: closes ?? (side === 'buy' ? 1 : -1),
    ...(closes === undefined && { quantity }),
    expected: price,
    received_at,
    // Its age counts from the sender's time.
    until: Math.min(received_at, Date.parse(time)) + MAX_AGE_MS,
    ...(closes === undefined && stop !== undefined && { stop }),
    ...(closes === undefined && target !== undefined && { target }),
  } as const;
  return {
    order,
    note: [alert.note, note].filter((text) => text !== undefined).join(' ') || undefined,
    effect: {
      deployment,
      notifications: [],
      writes: [
        signalWrite(deployment_id, signal),
        ...alert.digests.map((each) => eventDigestWrite(deployment_id, each, now)),
        userSwitchCheck(market.switches),
      ],
      messages: [engineEvent(ENGINE_ACCOUNTS_DUE, deployment_id)],
    },
  };
};
