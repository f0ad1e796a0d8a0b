import { type Group, START, type Value, VOLUME } from '../group.ts';
import { at } from '../memory.ts';
import {
  type Args,
  type Formula,
  indicator,
  type Labels,
  type PeriodsOf,
  type Row,
  unusual,
} from './declare.ts';
import { price } from './nodes/prices.ts';
import { weightedByVolume } from './nodes/volumes.ts';

export const declaration = indicator(
  'vwap',
  ({ optionalLength, source }: Args) => ({ length: optionalLength(), source: source('hlc3') }),
  {
    words: (of) => [of.length === undefined ? 'session VWAP' : 'VWAP', of.length, unusual(of.source, 'hlc3')],
  },
);

export const labels: Labels<typeof declaration> = {
  group: 'volume',
  label: 'VWAP',
  lines: { value: { label: 'VWAP', pane: 'price' } },
  argLabels: { length: 'Bars (none: session)' },
};

/**
 * Returns the average price since the session's start, weighted by volume. Missing outside of sessions and without
 * volume.
 *
 * @param sessions tell the session of a bar by its start; NaN if it is in none.
 */
const sessionVwap = (group: Group, value: Value, sessions: ReturnType<PeriodsOf>): Value => {
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
    : weightedByVolume(group, price(group, of.source), of.length);

export const row: Row = {
  value: 'mean price weighted by volume since the session began; with a `length`, of the last bars',
  formula: 'sum of price × volume / sum of volume; missing without volume',
};
