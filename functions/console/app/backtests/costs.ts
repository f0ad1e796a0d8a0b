import type { BacktestAccountOut } from '../../../../infra/client/package/src/index.ts';
import type { formatsFor } from '../format.ts';

type Costs = Pick<
  BacktestAccountOut,
  | 'commission_rate'
  | 'commission_fixed'
  | 'commission_per_unit'
  | 'commission_min'
  | 'spread_rate'
  | 'slippage_rate'
  | 'financing'
>;

/** Names the costs that a test has charged, or says that there were none. */
export const costsText = (
  costs: Costs,
  currency: string,
  format: Pick<ReturnType<typeof formatsFor>, 'rate' | 'money' | 'number'>,
): string => {
  const { commission_rate, commission_fixed, commission_per_unit, commission_min } = costs;
  const parts = [
    commission_rate > 0 && `commission ${format.rate(commission_rate)}`,
    commission_fixed > 0 && `commission ${format.money(commission_fixed, currency)} an order`,
    commission_per_unit > 0 && `commission ${format.number(commission_per_unit)} ${currency} a unit`,
    commission_min > 0 && `commission at least ${format.money(commission_min, currency)}`,
    costs.spread_rate > 0 && `spread ${format.rate(costs.spread_rate)}`,
    costs.slippage_rate > 0 && `slippage ${format.rate(costs.slippage_rate)}`,
    costs.financing === 'instrument' && 'overnight charges of the instrument',
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'Without costs: real trading earns less.' : `With costs: ${parts.join(', ')}.`;
};
