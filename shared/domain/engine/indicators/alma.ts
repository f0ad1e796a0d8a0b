import { type Args, type Formula, indicator, type Labels, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { scanned } from './nodes/windows.ts';

export const declaration = indicator(
  'alma',
  ({ length, number, source }: Args) => ({
    length: length(9),
    offset: number(0.85, { min: 0, max: 1 }),
    sigma: number(6, { above: 0, max: 100 }),
    source: source('close'),
  }),
  { words: (of) => ['ALMA', of.length, of.offset, of.sigma, unusual(of.source)], scans: (of) => of.length },
);

export const labels: Labels<typeof declaration> = {
  group: 'averages',
  label: 'ALMA, Arnaud Legoux average',
  lines: { value: { label: 'ALMA', pane: 'price' } },
};

export const formula: Formula<typeof declaration> = (group, { length, offset, sigma, source }) => {
  const centre = offset * (length - 1);
  const width = length / sigma;
  const weights = Array.from({ length }, (_, back) =>
    Math.exp(-((length - 1 - back - centre) ** 2) / (2 * width * width)),
  );
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return scanned(group, `alma:${offset}:${sigma}`, price(group, source), length, (back) => {
    let weighted = 0;
    for (let bars = 0; bars < length; bars += 1) weighted += back(bars) * (weights[bars] ?? 0);
    return weighted / sum;
  });
};

export const row: Row = {
  value: 'Arnaud Legoux moving average',
  formula: 'weights of a normal curve around `offset` × (`length` − 1) with the deviation `length` / `sigma`',
  elsewhere: 'TradingView is the same',
};
