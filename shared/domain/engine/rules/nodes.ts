import type { Rules } from './shape.ts';
import { rulesNodes } from './walk.ts';

/** Counts what is computed per bar: distinct indicators, and conditions without inner conditions. */
export const nodesOf = (rules: Pick<Rules, 'entries' | 'exits'>): number => {
  const indicators = new Set<string>();
  let conditions = 0;
  for (const node of rulesNodes(rules)) {
    if ('condition' in node) {
      const { condition } = node;
      const isGroup = 'all' in condition || 'any' in condition || 'not' in condition;
      if (!isGroup && !('condition' in condition)) conditions += 1;
    } else if (typeof node.operand === 'object' && 'indicator' in node.operand) {
      const { ago: _ago, ...indicator } = node.operand;
      indicators.add(JSON.stringify('output' in indicator ? { ...indicator, output: null } : indicator));
    }
  }
  for (const { stop_loss, take_profit, trailing_stop } of rules.entries) {
    for (const distance of [stop_loss, take_profit, trailing_stop]) {
      if (distance?.type === 'atr') indicators.add(`atr ${JSON.stringify(distance.length)}`);
    }
  }
  return indicators.size + conditions;
};
