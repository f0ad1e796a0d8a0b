import { COUNT, type Group, HIGH, LOW, type Value } from '../group.ts';
import { at } from '../memory.ts';
import { rma } from './averages.ts';
import { price } from './prices.ts';
import { trueRange } from './volatility.ts';
import { delay } from './windows.ts';

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
  const range = rma(group, { ...trueRange(group), first: 1 }, length);
  const moved = rma(group, movement(group, sign), length);
  return group.node(`di:${length}:${sign}`, moved.first, 1, (slot) => (m) => {
    const width = at(m, range.slot);
    m[slot] = width === 0 ? 0 : (at(m, moved.slot) / width) * PERCENT;
  });
};

/** Returns the outputs of the average directional index. */
export const adx = (group: Group, length: number) => {
  const plus = () => directional(group, length, 1);
  const minus = () => directional(group, length, -1);
  const index = (): Value => {
    const up = plus();
    const down = minus();
    const dx = group.node(`dx:${length}`, up.first, 1, (slot) => (m) => {
      const sum = at(m, up.slot) + at(m, down.slot);
      m[slot] = sum === 0 ? 0 : (Math.abs(at(m, up.slot) - at(m, down.slot)) / sum) * PERCENT;
    });
    return rma(group, dx, length);
  };
  return { adx: index, plus_di: plus, minus_di: minus };
};

/** Returns the parabolic stop and reverse as TA-Lib computes it: its value of a bar is known before the bar. */
export const psar = (
  group: Group,
  {
    start,
    increment,
    maximum,
  }: { readonly start: number; readonly increment: number; readonly maximum: number },
): Value => {
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
