import { STATISTICS, type StatisticKey, statisticText } from './statistics.ts';
import { BarTime, Figure, Shown } from './ui/figures.tsx';

interface StatisticProps {
  readonly name: StatisticKey;
  readonly value: number | string | boolean | null | undefined;
  readonly currency: string;
  /** Length of a bar, which decides whether times have an hour. */
  readonly timeframe?: string | undefined;
}

const toneOf = ({ name, value }: StatisticProps): 'gain' | 'loss' | undefined => {
  const { kind } = STATISTICS[name];
  if ((kind !== 'gain' && kind !== 'result') || typeof value !== 'number' || value === 0) return undefined;
  return value > 0 ? 'gain' : 'loss';
};

/** Number and unit that a statistic shows: a fraction is shown in percent. */
const figureOf = ({ name, value, currency }: StatisticProps): { value?: number; unit?: string } => {
  const { kind } = STATISTICS[name];
  if (typeof value !== 'number') return {};
  switch (kind) {
    case 'percent':
    case 'gain':
      return { value, unit: '%' };
    case 'fraction':
      return { value: value * 100, unit: '%' };
    case 'money':
    case 'result':
      return { value, unit: currency };
    case 'duration':
      return { value, unit: 's' };
    default:
      return { value };
  }
};

/** Value of a statistic; gains and losses have a colour. */
export const StatisticValue = (props: StatisticProps) => {
  const { name, value, currency, timeframe = '1d' } = props;
  return typeof value === 'string' && STATISTICS[name].kind === 'time' ? (
    <BarTime at={value} timeframe={timeframe} />
  ) : (
    <Shown text={statisticText(name, value, currency, timeframe)} tone={toneOf(props)} {...figureOf(props)} />
  );
};

/** Statistic with its name and its meaning. */
export const StatisticFigure = (props: StatisticProps) => {
  const { label, hint } = STATISTICS[props.name];
  return <Figure label={label} value={<StatisticValue {...props} />} hint={hint} />;
};
