import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { difference } from './nodes/arithmetic.ts';
import { ema } from './nodes/averages.ts';
import { accumulated } from './nodes/money-flow.ts';

export const declaration = indicator(
  'chaikin_oscillator',
  ({ length }: Args) => ({ fast: length(3), slow: length(10) }),
  { words: (of) => ['Chaikin oscillator', of.fast, of.slow] },
);

export const labels: Labels<typeof declaration> = {
  group: 'volume',
  label: 'Chaikin oscillator',
  lines: { value: { label: 'Oscillator', pane: 'own', usual: 0 } },
};

export const formula: Formula<typeof declaration> = (group, { fast, slow }) => {
  const line = accumulated(group);
  return difference(group, ema(group, line, fast), ema(group, line, slow));
};

export const row: Row = {
  value: 'momentum of accumulation/distribution',
  formula: 'EMA(`fast`) − EMA(`slow`) of `accumulation_distribution`',
  elsewhere: 'TA-Lib begins its averages with the first value; the difference fades',
};
