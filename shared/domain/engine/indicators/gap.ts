import { at } from '../memory.ts';
import { type Formula, indicator, type Labels, type Row } from './declare.ts';
import { periodValue } from './nodes/periods.ts';

export const declaration = indicator('gap', () => ({}), { words: () => ['gap from the close before'] });

export const labels: Labels<typeof declaration> = {
  group: 'levels',
  label: 'Gap from the close before',
  lines: { value: { label: 'Gap', pane: 'own', usual: 1 } },
};

const PERCENT = 100;

export const formula: Formula<typeof declaration> = (group, _of, periodsOf) =>
  periodValue(group, periodsOf, 'day', 'gap', (m, { now, before }) => {
    const close = at(m, before.close);
    return close === 0 ? Number.NaN : (at(m, now.open) / close - 1) * PERCENT;
  });

export const row: Row = {
  value: 'change from the close of the session before to the open of this one, in percent',
  formula: '(open / last close − 1) × 100; the same at all bars of a session',
};
