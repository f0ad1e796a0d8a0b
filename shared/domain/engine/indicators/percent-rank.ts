import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { scanned } from './nodes/windows.ts';

export const declaration = indicator(
  'percent_rank',
  ({ length, source }: Args) => ({ length: length(100), source: source('close') }),
  { words: (of) => ['percent rank', of.length, unusual(of.source)], scans: (of) => of.length },
);

export const labels: Labels<typeof declaration> = {
  group: 'statistics',
  label: 'Percent rank',
  lines: { value: { label: 'Percent rank', pane: 'own', usual: 20 } },
};

export const formula: Formula<typeof declaration> = (group, { length, source }) =>
  scanned(group, 'percent-rank', price(group, source), length + 1, (back) => {
    const now = back(0);
    let below = 0;
    for (let bars = 1; bars <= length; bars += 1) if (back(bars) <= now) below += 1;
    return (below / length) * 100;
  });

export const row: Row = {
  value: 'part of the earlier values that are not above this one, 0 to 100',
  formula: 'values of the `length` bars before that are less or equal / `length` × 100',
  elsewhere: 'TradingView is the same',
};
