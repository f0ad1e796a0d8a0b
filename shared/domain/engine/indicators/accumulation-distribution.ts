import { type Formula, indicator, type Labels, type Row } from './declare.ts';
import { accumulated } from './nodes/money-flow.ts';

export const declaration = indicator('accumulation_distribution', () => ({}), {
  words: () => ['accumulation/distribution'],
});

export const labels: Labels<typeof declaration> = {
  group: 'volume',
  label: 'Accumulation/distribution',
  lines: { value: { label: 'Accumulation', pane: 'own', usual: 0 } },
};

export const formula: Formula<typeof declaration> = (group) => accumulated(group);

export const row: Row = {
  value: 'volume weighted by the place of the close in the range, added up',
  formula:
    'adds volume × ((close − low) − (high − close)) / (high − low); a bar without a range adds nothing; begins with the first bar',
  elsewhere: 'TradingView and TA-Lib are the same',
};
