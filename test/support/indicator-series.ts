import { type BarColumns, barCount } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { COUNT } from '../../shared/domain/engine/group.ts';
import type { ResolvedIndicator } from '../../shared/domain/engine/indicators/indicator.ts';
import { indicatorSchema } from '../../shared/domain/engine/indicators/operand.ts';
import { marketTimeOf } from '../../shared/domain/engine/market-time.ts';
import { at } from '../../shared/domain/engine/memory.ts';
import { Operands } from '../../shared/domain/engine/operands.ts';

const isResolved = (operand: object): operand is ResolvedIndicator =>
  Object.values(operand).every((value) => typeof value !== 'object');

/** Computes indicators of one program over bars: a list each, with one value a bar, NaN where there is none. */
export const indicatorsSeries = (indicators: readonly object[], bars: BarColumns): number[][] => {
  const operands = new Operands('1d', marketTimeOf(calendarById('always')));
  const slots = indicators.map((json) => {
    const operand = indicatorSchema.parse(json);
    if (!isResolved(operand)) throw new Error('the arguments of the indicator are not numbers');
    return operands.slotOf(operand);
  });
  const steps = [...operands.base.finish(), ...operands.late];
  const memory = operands.layout.initial();
  const { bar } = operands.base;
  const columns = [bars.start, bars.open, bars.high, bars.low, bars.close, bars.volume];
  const series = slots.map((): number[] => []);
  for (let index = 0; index < barCount(bars); index += 1) {
    for (const [field, column] of columns.entries()) memory[bar + field] = at(column, index);
    memory[bar + COUNT] = index;
    for (const step of steps) step(memory);
    for (const [place, slot] of slots.entries()) series[place]?.push(at(memory, slot));
  }
  return series;
};

/** Computes an indicator over bars: one value a bar, NaN where there is none. */
export const indicatorSeries = (json: object, bars: BarColumns): number[] =>
  indicatorsSeries([json], bars)[0] ?? [];
