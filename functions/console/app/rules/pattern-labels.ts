import type { PatternName } from '../../../../shared/domain/engine/rules/pattern-defaults.ts';

type Labels = Readonly<Partial<Record<PatternName, string>>>;

/** Names of the patterns of candles, by the movement that they announce. */
export const PATTERN_GROUPS = {
  'Bullish patterns': {
    bullish_engulfing: 'Bullish engulfing',
    hammer: 'Hammer',
    inverted_hammer: 'Inverted hammer',
    morning_star: 'Morning star',
    bullish_harami: 'Bullish harami',
    piercing_line: 'Piercing line',
    three_white_soldiers: 'Three white soldiers',
    bullish_marubozu: 'Bullish marubozu',
  },
  'Bearish patterns': {
    bearish_engulfing: 'Bearish engulfing',
    hanging_man: 'Hanging man',
    shooting_star: 'Shooting star',
    evening_star: 'Evening star',
    bearish_harami: 'Bearish harami',
    dark_cloud_cover: 'Dark cloud cover',
    three_black_crows: 'Three black crows',
    bearish_marubozu: 'Bearish marubozu',
  },
  'Undecided candles': { doji: 'Doji' },
} as const satisfies Readonly<Record<string, Labels>>;
