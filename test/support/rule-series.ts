import { type BarColumns, barCount, readBar } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { compile } from '../../shared/domain/engine/compile.ts';
import { marketTimeOf } from '../../shared/domain/engine/market-time.ts';
import { at } from '../../shared/domain/engine/memory.ts';
import { EVALUATED } from '../../shared/domain/engine/observation.ts';
import { newState, observe } from '../../shared/domain/engine/observe.ts';
import type { Timeframe } from '../../shared/domain/strategies/strategies.ts';
import { plainRules, rulesWith } from './rules.ts';

interface Options {
  readonly timeframe?: Timeframe;
  readonly calendar?: string;
}

/** Computes a condition of an entry over bars: undefined before the first evaluated bar. */
export const conditionSeries = (
  when: object,
  bars: BarColumns,
  { timeframe = '1d', calendar = 'always' }: Options = {},
): (boolean | undefined)[] => {
  const program = compile(plainRules(rulesWith(when)), timeframe, marketTimeOf(calendarById(calendar)));
  const state = newState(program);
  return Array.from({ length: barCount(bars) }, (_, index) => {
    readBar(bars, index, state.bar);
    observe(program, state);
    return at(state.observation, EVALUATED) === 1
      ? at(state.observation, program.observationSize - 1) === 1
      : undefined;
  });
};

/** Computes an operand over bars: one value a bar, NaN where there is none. */
export const operandSeries = (
  operand: object,
  bars: BarColumns,
  { timeframe = '1d', calendar = 'always' }: Options = {},
): number[] => {
  const rules = plainRules(rulesWith({ left: operand, op: 'gt', right: 0 }));
  const program = compile(rules, timeframe, marketTimeOf(calendarById(calendar)));
  const [slot = -1] = program.explained.slots.values();
  const state = newState(program);
  return Array.from({ length: barCount(bars) }, (_, index) => {
    readBar(bars, index, state.bar);
    observe(program, state);
    return at(state.memory, slot);
  });
};
