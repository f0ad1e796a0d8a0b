import { sourcesOf } from '../../candles/timeframes.ts';
import type { Timeframe } from '../../strategies/strategies.ts';
import type { Rules } from './shape.ts';
import { type Path, type RulesNode, rulesNodes } from './walk.ts';

/** Returns the timeframe of an operand or a pattern; undefined without one of its own. */
const timeframeOf = (node: RulesNode): Timeframe | undefined => {
  const part = 'operand' in node ? node.operand : node.condition;
  return typeof part === 'object' && 'timeframe' in part ? part.timeframe : undefined;
};

/** Returns the places of operands and patterns whose timeframe cannot be derived from bars of the program's timeframe. */
export const misfitTimeframes = (rules: Rules, program: Timeframe): Path[] =>
  [...rulesNodes(rules)].flatMap((node) => {
    const timeframe = timeframeOf(node);
    return timeframe === undefined ||
      timeframe === program ||
      sourcesOf(timeframe).some((source) => source === program)
      ? []
      : [[...node.path, 'timeframe']];
  });
