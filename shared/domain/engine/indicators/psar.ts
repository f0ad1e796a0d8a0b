import { COUNT, HIGH, LOW } from '../group.ts';
import { at } from '../memory.ts';
import { type Args, type Formula, indicator, type Labels, type Row } from './declare.ts';
import { price } from './nodes/prices.ts';
import { delay } from './nodes/windows.ts';

export const declaration = indicator(
  'psar',
  ({ number }: Args) => ({
    start: number(0.02, { above: 0, max: 1 }),
    increment: number(0.02, { above: 0, max: 1 }),
    maximum: number(0.2, { above: 0, max: 1 }),
  }),
  { words: (of) => ['Parabolic SAR', of.start, of.increment, of.maximum] },
);

export const labels: Labels<typeof declaration> = {
  group: 'trend',
  label: 'Parabolic SAR',
  lines: { value: { label: 'Parabolic SAR', pane: 'price' } },
};

/** Computes the value as TA-Lib does: that of a bar is known before the bar. */
export const formula: Formula<typeof declaration> = (group, { start, increment, maximum }) => {
  const { bar } = group;
  const lastHighs = delay(group, price(group, 'high'), 1);
  const lastLows = delay(group, price(group, 'low'), 1);
  const first = Math.min(start, maximum);
  return group.node(`psar:${start}:${increment}:${maximum}`, 1, 5, (slot) => {
    /** 1 if the trend is up. */
    const isUp = slot + 1;
    const extremePoint = slot + 2;
    const factor = slot + 3;
    /** Value of the next bar. */
    const next = slot + 4;
    return (m) => {
      const t = at(m, bar + COUNT);
      if (t < 1) return;
      const high = at(m, bar + HIGH);
      const low = at(m, bar + LOW);
      let lastHigh = at(m, lastHighs.slot);
      let lastLow = at(m, lastLows.slot);
      if (t === 1) {
        const down = lastLow - low;
        const isDown = down > 0 && high - lastHigh < down;
        m[isUp] = isDown ? 0 : 1;
        m[extremePoint] = isDown ? low : high;
        m[next] = isDown ? lastHigh : lastLow;
        m[factor] = first;
        lastHigh = high;
        lastLow = low;
      }
      let sar = at(m, next);
      let point = at(m, extremePoint);
      let step = at(m, factor);
      let up = at(m, isUp) === 1;
      if (up ? low <= sar : high >= sar) {
        sar = up ? Math.max(point, lastHigh, high) : Math.min(point, lastLow, low);
        up = !up;
        point = up ? high : low;
        step = first;
        m[slot] = sar;
      } else {
        m[slot] = sar;
        if (up ? high > point : low < point) {
          point = up ? high : low;
          step = Math.min(maximum, step + increment);
        }
      }
      sar += step * (point - sar);
      m[next] = up ? Math.min(sar, lastLow, low) : Math.max(sar, lastHigh, high);
      m[extremePoint] = point;
      m[factor] = step;
      m[isUp] = up ? 1 : 0;
    };
  });
};

export const row: Row = {
  value: 'parabolic stop and reverse',
  formula:
    'moves towards the extreme of the trend by a part that grows from `start` by `increment` to `maximum`; the second bar decides the first direction',
  elsewhere: 'TA-Lib is the same; TradingView begins with the direction of the closes',
};
