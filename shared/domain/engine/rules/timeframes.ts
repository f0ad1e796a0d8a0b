import { sourcesOf } from '../../candles/timeframes.ts';
import type { Timeframe } from '../../strategies/strategies.ts';
import type { Rules } from './shape.ts';
import { type Path, rulesNodes } from './walk.ts';

/** Returns the places of operands whose timeframe cannot be derived from bars of the program's timeframe. */
export const misfitTimeframes = (rules: Rules, program: Timeframe): Path[] =>
  [...rulesNodes(rules)].flatMap((node) => {
    if (!('operand' in node) || typeof node.operand === 'number' || !('indicator' in node.operand)) return [];
    const { timeframe } = node.operand;
    return timeframe === undefined ||
      timeframe === program ||
      sourcesOf(timeframe).some((source) => source === program)
      ? []
      : [[...node.path, 'timeframe']];
  });
