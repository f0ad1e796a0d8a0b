import { findHubRate } from '../../data/candles/hub-rates.ts';
import type { Store } from '../../data/table/store.ts';
import { isFinalDeploymentStatus } from '../../domain/deployments/deployment-states.ts';
import { isFinalOrderStatus } from '../../domain/orders/order-states.ts';
import { moveTo, startRisk } from '../../domain/risk/state.ts';
import type { Effect, NotificationText } from '../effect.ts';
import { isEntry, knownRate, type Reported } from '../risk-checks/judge-order.ts';

/** Report with the currency that its symbol is quoted in. */
type Quoted = Reported & { readonly quoted: string };

/** Values the order of a report for the risk limits, before they judge it. */
export type ValueOrder = (
  given: { readonly store: Store; readonly now: Date },
  effect: Effect,
  reported: Quoted,
) => Promise<{ readonly effect: Effect; readonly reported: Reported }>;

const unvaluedText = (
  strategyName: string,
  symbol: string,
  data: { readonly limit: string; readonly currency: string },
): NotificationText => ({
  kind: 'risk_warning',
  severity: 'warning',
  symbol,
  title: `${strategyName} has an order of unknown value`,
  body: `No rate to ${data.currency} is known for ${symbol}: risk limits of values count the order from its first fill.`,
  data,
});

/**
 * Finds the rate of a new order in another currency, if its report and the books have none and a limit compares its
 * value: by the hub's candles. If they have none either, the owner is warned once a day. Only such an order costs a read.
 */
export const valueOrder: ValueOrder = async ({ store, now }, effect, reported) => {
  const { deployment, order, ledger } = effect;
  const { at, isForeign, quoted } = reported;
  const same = { effect, reported };
  if (!isForeign || reported.order || !order || !ledger || deployment.kind !== 'live') return same;
  if (isFinalDeploymentStatus(deployment.status)) return same;
  const { currency, limits, risk = startRisk(ledger, at), strategy_name } = deployment;
  const limit = (['order_value', 'position_value'] as const).find((name) => limits?.merged[name]);
  if (!limit || knownRate(order, ledger) !== undefined || !isEntry(order, reported, order.symbol))
    return same;
  const hubRate = await findHubRate(store, quoted, currency, now);
  if (hubRate !== undefined) return { effect, reported: { ...reported, hubRate } };
  const state = moveTo(risk, at);
  if (state.warned.includes(limit) || isFinalOrderStatus(order.status)) return same;
  const warning = unvaluedText(strategy_name, order.symbol, { limit, currency });
  const warned = { ...deployment, risk: { ...state, warned: [...state.warned, limit] } };
  return {
    effect: { ...effect, deployment: warned, notifications: [...effect.notifications, warning] },
    reported,
  };
};
