import { COUNT, type Group, type Value } from '../../group.ts';
import { at } from '../../memory.ts';
import type { PriceName } from '../../values/prices.ts';
import { price } from './prices.ts';

/** Returns the mean of the open and the close of the candle before; of the first bar, that of the bar's own. */
const openOf = (group: Group): Value => {
  const count = group.bar + COUNT;
  const open = price(group, 'open');
  const close = price(group, 'close');
  const mean = price(group, 'ohlc4');
  return group.node('heikin-ashi-open', 0, 2, (slot) => {
    const lastClose = slot + 1;
    return (m) => {
      m[slot] =
        at(m, count) === 0
          ? (at(m, open.slot) + at(m, close.slot)) / 2
          : (at(m, slot) + at(m, lastClose)) / 2;
      m[lastClose] = at(m, mean.slot);
    };
  });
};

const extremeOf = (group: Group, name: 'high' | 'low'): Value => {
  const own = price(group, name);
  const open = openOf(group);
  const close = price(group, 'ohlc4');
  const outer = name === 'high' ? Math.max : Math.min;
  return group.node(`heikin-ashi-${name}`, 0, 1, (slot) => (m) => {
    m[slot] = outer(at(m, own.slot), at(m, open.slot), at(m, close.slot));
  });
};

const meanOf = (group: Group, name: 'hl2' | 'hlc3' | 'ohlc4'): Value => {
  const parts = (['high', 'low', 'close', 'open'] as const)
    .slice(0, Number(name.at(-1)))
    .map((each) => heikinAshi(group, each).slot);
  return group.node(`heikin-ashi-${name}`, 0, 1, (slot) => (m) => {
    let sum = 0;
    for (let index = 0; index < parts.length; index += 1) sum += at(m, parts[index] ?? -1);
    m[slot] = sum / parts.length;
  });
};

/** Returns a price of the group's Heikin-Ashi candle. Its volume is that of the bar. */
export const heikinAshi = (group: Group, name: PriceName): Value => {
  switch (name) {
    case 'open':
      return openOf(group);
    case 'close':
      return price(group, 'ohlc4');
    case 'high':
    case 'low':
      return extremeOf(group, name);
    case 'volume':
      return price(group, 'volume');
    default:
      return meanOf(group, name);
  }
};
