import type { Group, Value } from '../group.ts';
import type { Resolved } from '../values/resolved.ts';
import type { PeriodsOf } from './declare.ts';
import { FORMULAS, type IndicatorName } from './list.ts';
import type { IndicatorOperand } from './operand.ts';

/** Indicator whose arguments are numbers, by its name. */
export type ResolvedIndicator<N extends IndicatorName = IndicatorName> = {
  [P in N]: Resolved<IndicatorOperand<P>> & { readonly indicator: P };
}[N];

type Formulas = {
  readonly [N in IndicatorName]: (group: Group, of: ResolvedIndicator<N>, periodsOf: PeriodsOf) => Value;
};

const formulas: Formulas = FORMULAS;

const formulaOf = <N extends IndicatorName>({ indicator }: { readonly indicator: N }): Formulas[N] =>
  formulas[indicator];

/** Returns the value of an indicator in its group, `ago` not applied. Adds the nodes that are missing. */
export const indicatorValue = <N extends IndicatorName>(
  group: Group,
  operand: ResolvedIndicator<N>,
  periodsOf: PeriodsOf,
): Value => formulaOf<N>(operand)(group, operand, periodsOf);
