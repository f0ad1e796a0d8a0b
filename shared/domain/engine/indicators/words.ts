import type { Param } from '../values/values.ts';
import type { IndicatorWords } from './declare.ts';
import { DECLARATIONS, type IndicatorName } from './list.ts';
import type { IndicatorOperand } from './operand.ts';

interface Declared<N extends IndicatorName> {
  readonly words: (of: IndicatorOperand<N>) => IndicatorWords;
  readonly scans?: (of: IndicatorOperand<N>) => number | Param | undefined;
}

const declared: { readonly [N in IndicatorName]: Declared<N> } = DECLARATIONS;

/** Returns the name of an indicator in sentences, and its arguments. */
export const indicatorWords = <N extends IndicatorName>(of: IndicatorOperand<N>): IndicatorWords =>
  declared[of.indicator].words(of);

/** Returns the length of a window that an indicator reads again at each bar. */
export const scannedBars = <N extends IndicatorName>(of: IndicatorOperand<N>): number | Param | undefined =>
  declared[of.indicator].scans?.(of);
