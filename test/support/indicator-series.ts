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

/** Computes an indicator over bars: one value a bar, NaN where there is none. */
export const indicatorSeries = (json: object, bars: BarColumns): number[] => {
  const operand = indicatorSchema.parse(json);
  if (!isResolved(operand)) throw new Error('the arguments of the indicator are not numbers');
  const operands = new Operands('1d', marketTimeOf(calendarById('always')));
  const slot = operands.slotOf(operand);
  const steps = [...operands.base.finish(), ...operands.late];
  const memory = operands.layout.initial();
  const { bar } = operands.base;
  const columns = [bars.start, bars.open, bars.high, bars.low, bars.close, bars.volume];
  return Array.from({ length: barCount(bars) }, (_, index) => {
    for (const [field, column] of columns.entries()) memory[bar + field] = at(column, index);
    memory[bar + COUNT] = index;
    for (const step of steps) step(memory);
    return at(memory, slot);
  });
};
