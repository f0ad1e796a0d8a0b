import type { IndicatorOperand } from '../indicators/operand.ts';
import { scannedBars } from '../indicators/words.ts';
import { RULES_LIMITS } from '../values/limits.ts';
import type { Rules } from './shape.ts';
import { rulesNodes } from './walk.ts';

/** Bars of a window that take a tenth of a microsecond, the time of a unit of work, to go over. */
const BARS_OF_UNIT = 60;

/** Counts an indicator once, and once more for each part of a window that it goes over at each bar. */
const unitsOf = (operand: IndicatorOperand): number => {
  const bars = scannedBars(operand);
  if (bars === undefined) return 1;
  return 1 + Math.floor((typeof bars === 'number' ? bars : RULES_LIMITS.bars) / BARS_OF_UNIT);
};

/** Counts what is computed per bar: distinct indicators, long windows more than once, and conditions without inner ones. */
export const nodesOf = (rules: Pick<Rules, 'entries' | 'exits'>): number => {
  const indicators = new Map<string, number>();
  let conditions = 0;
  for (const node of rulesNodes(rules)) {
    if ('condition' in node) {
      const { condition } = node;
      const isGroup = 'all' in condition || 'any' in condition || 'not' in condition;
      if (!isGroup && !('condition' in condition)) conditions += 1;
    } else if (typeof node.operand === 'object' && 'indicator' in node.operand) {
      const { ago: _ago, ...indicator } = node.operand;
      const key = JSON.stringify('output' in indicator ? { ...indicator, output: null } : indicator);
      indicators.set(key, Math.max(indicators.get(key) ?? 0, unitsOf(node.operand)));
    }
  }
  for (const { stop_loss, take_profit, trailing_stop } of rules.entries) {
    for (const distance of [stop_loss, take_profit, trailing_stop]) {
      if (distance?.type === 'atr') indicators.set(`atr ${JSON.stringify(distance.length)}`, 1);
    }
  }
  return conditions + [...indicators.values()].reduce((sum, units) => sum + units, 0);
};
