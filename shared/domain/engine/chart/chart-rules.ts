import { type BarColumns, barCount, readBar } from '../../candles/bars.ts';
import type { Timeframe } from '../../strategies/strategies.ts';
import { compile, type Program } from '../compile.ts';
import type { MarketTime } from '../market-time.ts';
import { at } from '../memory.ts';
import { EVALUATED } from '../observation.ts';
import { newState, observe, type ProgramState } from '../observe.ts';
import type { ResolvedRules } from '../rules/params.ts';
import { type ChartCondition, type ChartLine, conditionsOf, linesOf } from './chart-lines.ts';

/** Values of the lines and conditions of rules at the shown bars. */
export interface RulesChart {
  /** NaN without a value. */
  readonly lines: readonly (ChartLine & { readonly values: Float64Array })[];
  /** 1 or 0; NaN until the rules are evaluated, and for conditions that depend on a trade. */
  readonly conditions: readonly (ChartCondition & { readonly values: Float64Array })[];
}

/** Bars with the rules to draw over them. */
export interface ChartedBars {
  readonly timeframe: Timeframe;
  /** Time of the exchange. */
  readonly time: MarketTime;
  readonly bars: BarColumns;
  /** Index of the first shown bar. Bars before it warm indicators up. */
  readonly first: number;
}

/** Moves values that are kept for the next bar aside, and back for tests of crosses: observing replaces them. */
const previousBar = ({ explained }: Program, { memory }: ProgramState) => {
  const places = Int32Array.from(explained.previous.values());
  const kept = new Float64Array(places.length);
  return {
    keep: () => {
      for (const [index, place] of places.entries()) kept[index] = at(memory, place);
    },
    swap: () => {
      for (const [index, place] of places.entries()) {
        const value = at(memory, place);
        memory[place] = at(kept, index);
        kept[index] = value;
      }
    },
  };
};

/**
 * Computes the lines and conditions of rules over bars, as a backtest of the same bars does.
 *
 * @throws RangeError for an operand of a timeframe smaller than that of the bars.
 */
export const chartRules = (
  rules: ResolvedRules,
  { timeframe, time, bars, first }: ChartedBars,
): RulesChart => {
  const program = compile(rules, timeframe, time);
  const state = newState(program);
  const { memory, observation } = state;
  const { slots, tests } = program.explained;
  const count = barCount(bars);
  const shown = Math.max(0, count - first);
  const lines = linesOf(rules).map((line) => ({
    ...line,
    slot: slots.get(JSON.stringify(line.operand)) ?? -1,
    values: new Float64Array(shown),
  }));
  const conditions = conditionsOf(rules).map((one) => ({
    ...one,
    test: tests.get(one.condition),
    values: new Float64Array(shown).fill(Number.NaN),
  }));
  const before = previousBar(program, state);
  for (let index = 0; index < count; index += 1) {
    before.keep();
    readBar(bars, index, state.bar);
    observe(program, state);
    if (index < first) continue;
    for (const { slot, values } of lines) values[index - first] = at(memory, slot);
    if (at(observation, EVALUATED) !== 1) continue;
    before.swap();
    for (const { test, values } of conditions) {
      if (test) values[index - first] = test(memory) ? 1 : 0;
    }
    before.swap();
  }
  return {
    lines: lines.map(({ slot: _, ...line }) => line),
    conditions: conditions.map(({ test: _, ...one }) => one),
  };
};
