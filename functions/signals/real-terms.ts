import { HubError } from '../../shared/api/errors.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import type { Deployment, TradingDeployment } from '../../shared/data/deployments/deployments.ts';
import { hasRealOrders, takesSignals } from '../../shared/data/deployments/deployments.ts';
import type { MergedLimits } from '../../shared/domain/risk/limits.ts';
import { positiveAmount } from './positive-amount.ts';

/** Returns whether signals place the real orders of a deployment. */
export const placesRealOrders = (
  deployment: Deployment,
): deployment is TradingDeployment & { readonly mode: 'live' } =>
  hasRealOrders(deployment) && takesSignals(deployment);

const isLimited = ({ daily_loss, daily_loss_pct, order_value, position_value }: MergedLimits): boolean =>
  (daily_loss ?? daily_loss_pct) !== undefined && (order_value ?? position_value) !== undefined;

/**
 * Requires limits for real orders of signals: who has the address trades. They are required again at each signal, as they
 * may be removed.
 *
 * @throws HubError risk_limit
 */
export const requireLimits = ({ limits }: TradingDeployment): void => {
  if (limits && isLimited(limits.merged)) return;
  throw new HubError(
    'risk_limit',
    'Real orders of signals need limits: daily_loss or daily_loss_pct, and order_value or position_value. Set them by /set_risk_limits.',
  );
};

/** Returns the largest quantity of an order that the owner names. @throws ValidationError */
export const maxQuantityOf = (given: string | undefined, isReal: boolean): string | undefined => {
  if (!isReal && given === undefined) return undefined;
  if (!isReal) {
    const msg = 'only an address for real orders has a largest quantity';
    throw invalidValue(['body', 'max_quantity'], msg, 'value_error.max_quantity');
  }
  if (given !== undefined) return positiveAmount(given, 'max_quantity');
  throw invalidValue(['body', 'max_quantity'], 'field required', 'value_error.missing');
};
