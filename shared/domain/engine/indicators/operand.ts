import * as z from 'zod';
import { INDICATOR_ARGS } from './args.ts';
import { DECLARATIONS, type IndicatorName } from './list.ts';

const { sma, ...others } = DECLARATIONS;

/** Operand that is an indicator. */
export const indicatorSchema = z.discriminatedUnion('indicator', [
  sma.schema(INDICATOR_ARGS),
  ...Object.values(others).map(({ schema }) => schema(INDICATOR_ARGS)),
]);

/** Operand of an indicator, by the name of the indicator. */
export type IndicatorOperand<N extends IndicatorName = IndicatorName> = {
  [P in N]: z.output<ReturnType<(typeof DECLARATIONS)[P]['schema']>> & { readonly indicator: P };
}[N];
