import { STATISTICS, type StatisticKey, statisticText } from './statistics.ts';
import { Figure, Shown } from './ui/figures.tsx';

interface StatisticProps {
  readonly name: StatisticKey;
  readonly value: number | string | boolean | null | undefined;
  readonly currency: string;
  /** Length of a bar, which decides whether times have an hour. */
  readonly timeframe?: string;
}

const toneOf = ({ name, value }: StatisticProps): 'gain' | 'loss' | undefined => {
  const { kind } = STATISTICS[name];
  if ((kind !== 'gain' && kind !== 'result') || typeof value !== 'number' || value === 0) return undefined;
  return value > 0 ? 'gain' : 'loss';
};

/** Value of a statistic; gains and losses have a colour. */
export const StatisticValue = (props: StatisticProps) => (
  <Shown
    text={statisticText(props.name, props.value, props.currency, props.timeframe)}
    tone={toneOf(props)}
  />
);

/** Statistic with its name and its meaning. */
export const StatisticFigure = (props: StatisticProps) => {
  const { label, hint } = STATISTICS[props.name];
  return <Figure label={label} value={<StatisticValue {...props} />} hint={hint} />;
};
