import { type Group, HIGH, LOW, type Value } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { rma } from './nodes/averages.ts';
import { price } from './nodes/prices.ts';
import { laterTrueRange } from './nodes/ranges.ts';
import { delay } from './nodes/windows.ts';

const NAMES = { adx: 'ADX', plus_di: '+DI', minus_di: '-DI' };

export const declaration = indicator(
  'adx',
  ({ length, choice }: Args) => ({ length: length(14), output: choice('adx', 'plus_di', 'minus_di') }),
  { words: (of) => [NAMES[of.output], of.length] },
);

export const labels: Labels<typeof declaration> = {
  group: 'trend',
  label: 'ADX, strength of trend',
  lines: {
    adx: { label: 'ADX', pane: 'own', usual: 25 },
    plus_di: { label: '+DI', pane: 'own', usual: 25 },
    minus_di: { label: '−DI', pane: 'own', usual: 25 },
  },
};

const PERCENT = 100;

/** Returns the part of a bar beyond the bar before: upwards (`sign` 1) or downwards (-1). */
const movement = (group: Group, sign: 1 | -1): Value => {
  const { bar } = group;
  const lastHigh = delay(group, price(group, 'high'), 1);
  const lastLow = delay(group, price(group, 'low'), 1);
  return group.node(`movement:${sign}`, 1, 1, (slot) => (m) => {
    const up = at(m, bar + HIGH) - at(m, lastHigh.slot);
    const down = at(m, lastLow.slot) - at(m, bar + LOW);
    const own = sign === 1 ? up : down;
    m[slot] = own > 0 && (up - down) * sign > 0 ? own : 0;
  });
};

/** Returns Wilder's directional indicator. Ranges and movements start at bar 1. */
const directional = (group: Group, length: number, sign: 1 | -1): Value => {
  const range = rma(group, laterTrueRange(group), length);
  const moved = rma(group, movement(group, sign), length);
  return group.node(`di:${length}:${sign}`, moved.first, 1, (slot) => (m) => {
    const width = at(m, range.slot);
    m[slot] = width === 0 ? 0 : (at(m, moved.slot) / width) * PERCENT;
  });
};

export const formula: Formula<typeof declaration> = (group, { length: bars, output }) => {
  if (output !== 'adx') return directional(group, bars, output === 'plus_di' ? 1 : -1);
  const up = directional(group, bars, 1);
  const down = directional(group, bars, -1);
  const index = group.node(`dx:${bars}`, up.first, 1, (slot) => (m) => {
    const sum = at(m, up.slot) + at(m, down.slot);
    m[slot] = sum === 0 ? 0 : (Math.abs(at(m, up.slot) - at(m, down.slot)) / sum) * PERCENT;
  });
  return rma(group, index, bars);
};

export const row: Row = {
  value: 'strength of a trend, 0 to 100; outputs `adx`, `plus_di`, `minus_di`',
  formula:
    'DI: movement beyond the bar before / true range, both smoothed as Wilder does from the second bar on; ADX: smoothed |+DI − −DI| / (+DI + −DI)',
  elsewhere: 'TA-Lib smooths sums without the first bar of the seed; the difference fades',
};
