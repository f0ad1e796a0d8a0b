import { CLOSE, type Group, HIGH, LOW, OPEN, type Step, type Value, VOLUME } from '../../group.ts';
import { at } from '../../memory.ts';
import type { PriceName } from '../../values/prices.ts';

type Mean = 'hl2' | 'hlc3' | 'ohlc4';

const OFFSETS: Readonly<Record<Exclude<PriceName, Mean>, number>> = {
  open: OPEN,
  high: HIGH,
  low: LOW,
  close: CLOSE,
  volume: VOLUME,
};

const MEANS: Readonly<Record<Mean, (bar: number, slot: number) => Step>> = {
  hl2: (bar, slot) => (m) => {
    m[slot] = (at(m, bar + HIGH) + at(m, bar + LOW)) / 2;
  },
  hlc3: (bar, slot) => (m) => {
    m[slot] = (at(m, bar + HIGH) + at(m, bar + LOW) + at(m, bar + CLOSE)) / 3;
  },
  ohlc4: (bar, slot) => (m) => {
    m[slot] = (at(m, bar + OPEN) + at(m, bar + HIGH) + at(m, bar + LOW) + at(m, bar + CLOSE)) / 4;
  },
};

/** Returns a price of the group's bar, or a mean of its prices. */
export const price = (group: Group, name: PriceName): Value => {
  const { bar } = group;
  if (name === 'hl2' || name === 'hlc3' || name === 'ohlc4') {
    return group.node(name, 0, 1, (slot) => MEANS[name](bar, slot));
  }
  return { slot: bar + OFFSETS[name], first: 0 };
};

/** Returns a price of the group's last closed bar. */
export const closedPrice = (group: Group, value: Value): Value =>
  group.node(`closed:${value.slot}`, value.first, 1, (slot) => (m) => {
    m[slot] = at(m, value.slot);
  });
