import { COUNT, type Group, type Value } from './group.ts';
import { price } from './indicators/nodes/prices.ts';
import { delay } from './indicators/nodes/windows.ts';
import { at } from './memory.ts';
import type { PatternName } from './rules/pattern-defaults.ts';
import type { PatternCondition } from './rules/patterns.ts';
import type { Resolved } from './values/resolved.ts';

type Test = (memory: Float64Array) => boolean;
type Read = (memory: Float64Array) => number;

/** A candle. Bearish forms look at the mirror image, whose prices have the other sign. */
interface Candle {
  readonly open: Read;
  readonly high: Read;
  readonly low: Read;
  readonly close: Read;
}

type ResolvedPattern = Resolved<PatternCondition>;

interface PinSizes {
  readonly body: number;
  readonly wick: number;
  readonly shadow: number;
}

interface Penetration {
  readonly long_body: number;
  readonly penetration: number;
}

interface BodyAndWick {
  readonly body: number;
  readonly wick: number;
}

type Three = readonly [first: Candle, middle: Candle, last: Candle];

const PERCENT = 100;

const priceAgo = (group: Group, name: keyof Candle, ago: number, sign: 1 | -1): Read => {
  const { slot } = delay(group, price(group, name), ago);
  return (m) => sign * at(m, slot);
};

const candleAgo = (group: Group, ago: number, sign: 1 | -1): Candle => {
  const read = (name: keyof Candle) => priceAgo(group, name, ago, sign);
  const [top, bottom] = [read('high'), read('low')];
  return {
    open: read('open'),
    close: read('close'),
    high: sign === 1 ? top : bottom,
    low: sign === 1 ? bottom : top,
  };
};

const rises = ({ open, close }: Candle, m: Float64Array): boolean => close(m) > open(m);
const falls = ({ open, close }: Candle, m: Float64Array): boolean => close(m) < open(m);
const bodyOf = ({ open, close }: Candle, m: Float64Array): number => Math.abs(close(m) - open(m));
const rangeOf = ({ high, low }: Candle, m: Float64Array): number => high(m) - low(m);
const topOf = ({ open, close }: Candle, m: Float64Array): number => Math.max(open(m), close(m));
const bottomOf = ({ open, close }: Candle, m: Float64Array): number => Math.min(open(m), close(m));
const upperOf = (candle: Candle, m: Float64Array): number => candle.high(m) - topOf(candle, m);
const lowerOf = (candle: Candle, m: Float64Array): number => bottomOf(candle, m) - candle.low(m);

/** Returns whether a part is at most a percentage of a whole. */
const isAtMost = (part: number, percent: number, whole: number): boolean => part * PERCENT <= percent * whole;
const isAtLeast = (part: number, percent: number, whole: number): boolean =>
  part * PERCENT >= percent * whole;

/** Returns whether a falling candle has a long body. */
const fallsFar = (candle: Candle, long: number, m: Float64Array): boolean =>
  falls(candle, m) && isAtLeast(bodyOf(candle, m), long, rangeOf(candle, m));

/** Returns whether a rising close has taken back a percentage of the body of a falling candle. */
const takesBack = (candle: Candle, fallen: Candle, percent: number, m: Float64Array): boolean =>
  rises(candle, m) && isAtLeast(candle.close(m) - fallen.close(m), percent, bodyOf(fallen, m));

const isEngulfing =
  (before: Candle, now: Candle): Test =>
  (m) =>
    falls(before, m) &&
    rises(now, m) &&
    now.open(m) <= before.close(m) &&
    now.close(m) >= before.open(m) &&
    bodyOf(now, m) > bodyOf(before, m);

/** A small body with one long shadow: the lower one of a hammer, the upper one of an inverted hammer. */
const isPin =
  (now: Candle, { body, wick, shadow }: PinSizes, isInverted: boolean): Test =>
  (m) => {
    const range = rangeOf(now, m);
    const size = bodyOf(now, m);
    const long = isInverted ? upperOf(now, m) : lowerOf(now, m);
    const short = isInverted ? lowerOf(now, m) : upperOf(now, m);
    return range > 0 && isAtMost(size, body, range) && isAtMost(short, wick, range) && long >= shadow * size;
  };

const isDoji =
  (now: Candle, { body }: Pick<PinSizes, 'body'>): Test =>
  (m) =>
    rangeOf(now, m) > 0 && isAtMost(bodyOf(now, m), body, rangeOf(now, m));

const isStar =
  ([first, middle, last]: Three, args: Penetration & { readonly star: number }): Test =>
  (m) =>
    fallsFar(first, args.long_body, m) &&
    isAtMost(bodyOf(middle, m), args.star, bodyOf(first, m)) &&
    topOf(middle, m) <= (first.open(m) + first.close(m)) / 2 &&
    takesBack(last, first, args.penetration, m);

const isHarami =
  (before: Candle, now: Candle, { long_body }: Pick<Penetration, 'long_body'>): Test =>
  (m) =>
    fallsFar(before, long_body, m) &&
    rises(now, m) &&
    now.open(m) >= before.close(m) &&
    now.close(m) <= before.open(m) &&
    bodyOf(now, m) < bodyOf(before, m);

const isPiercing =
  (before: Candle, now: Candle, { long_body, penetration }: Penetration): Test =>
  (m) =>
    fallsFar(before, long_body, m) &&
    now.open(m) <= before.close(m) &&
    takesBack(now, before, penetration, m) &&
    now.close(m) < before.open(m);

const isStrong = (candle: Candle, { body, wick }: BodyAndWick, m: Float64Array): boolean =>
  rises(candle, m) &&
  isAtLeast(bodyOf(candle, m), body, rangeOf(candle, m)) &&
  isAtMost(upperOf(candle, m), wick, rangeOf(candle, m));

/** Returns whether a candle opens within the body of a rising one and closes above it. */
const follows = (candle: Candle, before: Candle, m: Float64Array): boolean =>
  candle.open(m) >= before.open(m) && candle.open(m) <= before.close(m) && candle.close(m) > before.close(m);

const areSoldiers =
  ([first, middle, last]: Three, args: BodyAndWick): Test =>
  (m) =>
    isStrong(first, args, m) &&
    isStrong(middle, args, m) &&
    isStrong(last, args, m) &&
    follows(middle, first, m) &&
    follows(last, middle, m);

const isMarubozu =
  (now: Candle, { body }: Pick<PinSizes, 'body'>): Test =>
  (m) =>
    rises(now, m) && isAtLeast(bodyOf(now, m), body, rangeOf(now, m));

/** Patterns that are the mirror image of a bullish one. */
const BEARISH: ReadonlySet<PatternName> = new Set([
  'bearish_engulfing',
  'shooting_star',
  'hanging_man',
  'evening_star',
  'bearish_harami',
  'dark_cloud_cover',
  'three_black_crows',
  'bearish_marubozu',
]);

/** @param ago returns the candle of so many bars ago. */
const formOf = (condition: ResolvedPattern, ago: (bars: number) => Candle): Test => {
  switch (condition.pattern) {
    case 'bullish_engulfing':
    case 'bearish_engulfing':
      return isEngulfing(ago(1), ago(0));
    case 'hammer':
    case 'shooting_star':
      return isPin(ago(0), condition, false);
    case 'inverted_hammer':
    case 'hanging_man':
      return isPin(ago(0), condition, true);
    case 'doji':
      return isDoji(ago(0), condition);
    case 'morning_star':
    case 'evening_star':
      return isStar([ago(2), ago(1), ago(0)], condition);
    case 'bullish_harami':
    case 'bearish_harami':
      return isHarami(ago(1), ago(0), condition);
    case 'piercing_line':
    case 'dark_cloud_cover':
      return isPiercing(ago(1), ago(0), condition);
    case 'three_white_soldiers':
    case 'three_black_crows':
      return areSoldiers([ago(2), ago(1), ago(0)], condition);
    case 'bullish_marubozu':
    case 'bearish_marubozu':
      return isMarubozu(ago(0), condition);
  }
};

/** Tests that the close of `ago` bars ago is below that of more bars earlier. */
const hasFallen = (group: Group, ago: number, bars: number, sign: 1 | -1): Test => {
  const now = priceAgo(group, 'close', ago, sign);
  const earlier = priceAgo(group, 'close', ago + bars, sign);
  return (m) => now(m) < earlier(m);
};

/** Returns 1 on bars on which the last candles have the form of a pattern, else 0. */
export const patternValue = (group: Group, condition: ResolvedPattern): Value => {
  const { ago: _ago, timeframe: _timeframe, ...form } = condition;
  const sign = BEARISH.has(condition.pattern) ? -1 : 1;
  const bars = 'trend' in condition ? condition.trend : 0;
  let candles = 1;
  const test = formOf(condition, (back) => {
    candles = Math.max(candles, back + 1);
    return candleAgo(group, back, sign);
  });
  const moved = bars === 0 ? () => true : hasFallen(group, candles, bars, sign);
  const first = candles - 1 + (bars === 0 ? 0 : bars + 1);
  const count = group.bar + COUNT;
  return group.node(`pattern:${JSON.stringify(form)}`, first, 1, (slot) => (m) => {
    if (at(m, count) < first) return;
    m[slot] = test(m) && moved(m) ? 1 : 0;
  });
};
