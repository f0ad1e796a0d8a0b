import type { Periods } from '../../candles/periods.ts';
import { type Group, START, type Value, VOLUME } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Row, unusual } from './declare.ts';
import { price } from './nodes/prices.ts';
import { sumOf } from './nodes/windows.ts';

export const declaration = indicator(
  'vwap',
  ({ optionalLength, source }: Args) => ({ length: optionalLength(), source: source('hlc3') }),
  {
    group: 'volume',
    label: 'VWAP',
    lines: { value: { label: 'VWAP', pane: 'price' } },
    argLabels: { length: 'Bars (none: session)' },
    words: (of) => [of.length === undefined ? 'session VWAP' : 'VWAP', of.length, unusual(of.source, 'hlc3')],
  },
);

const traded = (group: Group, value: Value): Value =>
  group.node(`traded:${value.slot}`, 0, 1, (slot) => (m) => {
    m[slot] = at(m, value.slot) * at(m, group.bar + VOLUME);
  });

const ratioOf = (group: Group, money: Value, volume: Value): Value =>
  group.node(`vwap:${money.slot}:${volume.slot}`, money.first, 1, (slot) => (m) => {
    m[slot] = at(m, money.slot) / at(m, volume.slot);
  });

/** Returns the average price of the last `length` bars, weighted by volume. Missing without volume. */
const rollingVwap = (group: Group, value: Value, length: number): Value =>
  ratioOf(group, sumOf(group, traded(group, value), length), sumOf(group, price(group, 'volume'), length));

/**
 * Returns the average price since the session's start, weighted by volume. Missing outside of sessions and without
 * volume.
 *
 * @param sessions tell the session of a bar by its start; NaN if it is in none.
 */
const sessionVwap = (group: Group, value: Value, sessions: Periods): Value => {
  const { bar } = group;
  return group.node(`session-vwap:${value.slot}`, 0, 4, (slot) => {
    const session = slot + 1;
    const money = slot + 2;
    const volume = slot + 3;
    return (m) => {
      const now = sessions.startOf(at(m, bar + START));
      if (now !== at(m, session)) {
        m[session] = now;
        m[money] = 0;
        m[volume] = 0;
      }
      const weight = at(m, bar + VOLUME);
      m[money] = at(m, money) + at(m, value.slot) * weight;
      m[volume] = at(m, volume) + weight;
      m[slot] = Number.isNaN(now) ? now : at(m, money) / at(m, volume);
    };
  });
};

export const formula: Formula<typeof declaration> = (group, of, periodsOf) =>
  of.length === undefined
    ? sessionVwap(group, price(group, of.source), periodsOf('1d'))
    : rollingVwap(group, price(group, of.source), of.length);

export const row: Row = {
  value: 'mean price weighted by volume since the session began; with a `length`, of the last bars',
  formula: 'sum of price × volume / sum of volume; missing without volume',
};
