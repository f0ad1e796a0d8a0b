import type { Value } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { middle } from './nodes/middles.ts';
import { price } from './nodes/prices.ts';
import { delay } from './nodes/windows.ts';

const NAMES = {
  conversion: 'Ichimoku conversion line',
  base: 'Ichimoku base line',
  span_a: 'Ichimoku span A',
  span_b: 'Ichimoku span B',
  lagging: 'Ichimoku lagging price',
};

export const declaration = indicator(
  'ichimoku',
  ({ length, choice }: Args) => ({
    conversion: length(9),
    base: length(26),
    span: length(52),
    displacement: length(26),
    output: choice('conversion', 'base', 'span_a', 'span_b', 'lagging'),
  }),
  { words: (of) => [NAMES[of.output], of.conversion, of.base, of.span, of.displacement] },
);

export const labels: Labels<typeof declaration> = {
  group: 'trend',
  label: 'Ichimoku cloud',
  lines: {
    conversion: { label: 'Conversion line', pane: 'price' },
    base: { label: 'Base line', pane: 'price' },
    span_a: { label: 'Span A of the cloud', pane: 'price' },
    span_b: { label: 'Span B of the cloud', pane: 'price' },
    lagging: { label: 'Price at the lagging span', pane: 'price' },
  },
};

export const formula: Formula<typeof declaration> = (group, of) => {
  const spanA = (): Value => {
    const conversion = middle(group, of.conversion);
    const base = middle(group, of.base);
    const first = Math.max(conversion.first, base.first);
    return group.node(`ichimoku:${of.conversion}:${of.base}`, first, 1, (slot) => (m) => {
      m[slot] = (at(m, conversion.slot) + at(m, base.slot)) / 2;
    });
  };
  switch (of.output) {
    case 'conversion':
      return middle(group, of.conversion);
    case 'base':
      return middle(group, of.base);
    case 'span_a':
      return delay(group, spanA(), of.displacement);
    case 'span_b':
      return delay(group, middle(group, of.span), of.displacement);
    case 'lagging':
      return delay(group, price(group, 'close'), of.displacement);
  }
};

export const row: Row = {
  value: 'cloud; outputs `conversion`, `base`, `span_a`, `span_b`, `lagging`',
  formula:
    'middles between highest high and lowest low of `conversion`, `base` and `span` bars; `span_a` is the mean of the first two. The cloud at a bar is that computed `displacement` bars before. `lagging` is the close of `displacement` bars ago, which the lagging span (the present close) is compared with',
  elsewhere: 'TradingView displaces by one bar less: set `displacement` to 25 for its cloud',
};
