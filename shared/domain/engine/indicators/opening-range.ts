import { HIGH, LOW, START } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';

export const declaration = indicator(
  'opening_range',
  ({ length, choice }: Args) => ({ minutes: length(30), output: choice('high', 'low') }),
  { words: (of) => [`${of.output} of the opening range`, of.minutes] },
);

export const labels: Labels<typeof declaration> = {
  group: 'levels',
  label: 'Opening range',
  lines: { high: { label: 'High', pane: 'price' }, low: { label: 'Low', pane: 'price' } },
};

const MINUTE_MS = 60_000;

/** The range is complete with the first bar of the session that begins after it. */
export const formula: Formula<typeof declaration> = (group, { minutes, output }, periodsOf) => {
  const { bar } = group;
  const { startOf } = periodsOf('1d');
  const price = bar + (output === 'high' ? HIGH : LOW);
  const outer = output === 'high' ? Math.max : Math.min;
  return group.node(`opening-range:${minutes}:${output}`, 0, 4, (slot) => {
    const session = slot + 1;
    const end = slot + 2;
    const edge = slot + 3;
    return (m) => {
      const begin = at(m, bar + START);
      const now = startOf(begin);
      if (Number.isNaN(now)) {
        m[slot] = Number.NaN;
      } else if (now !== at(m, session)) {
        m[session] = now;
        m[end] = begin + minutes * MINUTE_MS;
        m[edge] = at(m, price);
        m[slot] = Number.NaN;
      } else if (begin < at(m, end)) m[edge] = outer(at(m, edge), at(m, price));
      else m[slot] = at(m, edge);
    };
  });
};

export const row: Row = {
  value: 'high or low of the first minutes of the session; outputs `high`, `low`',
  formula:
    'of the bars that begin within `minutes` of the first bar of the session; missing until a bar begins after them, and outside of sessions; for bars of minutes and hours',
};
