import { agoText, valueText } from './describe-operand.ts';
import { PATTERN_DEFAULTS, type PatternName } from './pattern-defaults.ts';
import type { PatternCondition } from './patterns.ts';

const NAMES: Readonly<Record<PatternName, string>> = {
  bullish_engulfing: 'a bullish engulfing',
  bearish_engulfing: 'a bearish engulfing',
  hammer: 'a hammer',
  hanging_man: 'a hanging man',
  inverted_hammer: 'an inverted hammer',
  shooting_star: 'a shooting star',
  doji: 'a doji',
  morning_star: 'a morning star',
  evening_star: 'an evening star',
  bullish_harami: 'a bullish harami',
  bearish_harami: 'a bearish harami',
  piercing_line: 'a piercing line',
  dark_cloud_cover: 'a dark cloud cover',
  three_white_soldiers: 'three white soldiers',
  three_black_crows: 'three black crows',
  bullish_marubozu: 'a bullish marubozu',
  bearish_marubozu: 'a bearish marubozu',
};

/** Describes a pattern, with the thresholds that are not the usual ones: `a hammer (trend 0, on 1d) forms`. */
export const patternText = ({ pattern, timeframe, ago, ...args }: PatternCondition): string => {
  const usual: Readonly<Record<string, unknown>> = PATTERN_DEFAULTS[pattern];
  const changed = Object.entries(args).filter(([name, value]) => usual[name] !== value);
  const details = [
    ...changed.map(([name, value]) => `${name.replace('_', ' ')} ${valueText(value)}`),
    timeframe && `on ${timeframe}`,
    agoText(ago),
  ].filter((detail) => detail !== undefined);
  const verb = pattern.startsWith('three') ? 'form' : 'forms';
  return [NAMES[pattern], details.length > 0 && `(${details.join(', ')})`, verb].filter(Boolean).join(' ');
};
