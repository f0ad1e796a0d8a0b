import { format } from '../format.ts';
import { Money, Percent } from '../ui/figures.tsx';
import { unitOf } from './limits.ts';

interface LimitAmountProps {
  readonly name: string;
  readonly value: number | null;
  /** Currency of the deployment; null for limits of all deployments, which have several. */
  readonly currency: string | null;
}

/** Value of a limit in its unit. */
export const LimitAmount = ({ name, value, currency }: LimitAmountProps) => {
  const unit = unitOf(name);
  if (unit === 'percent') return <Percent value={value} />;
  if (unit === 'money' && currency !== null) return <Money value={value} currency={currency} />;
  return <>{format.number(value)}</>;
};
