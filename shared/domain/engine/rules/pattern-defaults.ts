const ENGULFING = { trend: 0 } as const;
const PIN = { body: 33, wick: 10, shadow: 2, trend: 5 } as const;
const STAR = { long_body: 50, star: 30, penetration: 50, trend: 0 } as const;
const HARAMI = { long_body: 50, trend: 0 } as const;
const PIERCING = { long_body: 50, penetration: 50, trend: 0 } as const;
const SOLDIERS = { body: 60, wick: 20 } as const;
const MARUBOZU = { body: 95 } as const;

/**
 * Thresholds of patterns with their defaults, apart from the schema so that descriptions need none. Sizes are percent:
 *
 * - `trend`: closes over which the price moved against the pattern before it; 0: any movement.
 * - `body`, `wick`: bounds of the body and of the shadow on the short side, of the range from high to low.
 * - `shadow`: smallest shadow on the long side, in bodies.
 * - `long_body`: smallest body of the first candle, of its range.
 * - `star`, `penetration`: of the first body.
 */
export const PATTERN_DEFAULTS = {
  bullish_engulfing: ENGULFING,
  bearish_engulfing: ENGULFING,
  hammer: PIN,
  hanging_man: PIN,
  inverted_hammer: PIN,
  shooting_star: PIN,
  doji: { body: 10 },
  morning_star: STAR,
  evening_star: STAR,
  bullish_harami: HARAMI,
  bearish_harami: HARAMI,
  piercing_line: PIERCING,
  dark_cloud_cover: PIERCING,
  three_white_soldiers: SOLDIERS,
  three_black_crows: SOLDIERS,
  bullish_marubozu: MARUBOZU,
  bearish_marubozu: MARUBOZU,
} as const;

export type PatternName = keyof typeof PATTERN_DEFAULTS;
