import type * as z from 'zod';
import type { Periods } from '../../candles/periods.ts';
import type { Timeframe } from '../../strategies/strategies.ts';
import type { Group, Value } from '../group.ts';
import type { PriceName } from '../values/prices.ts';
import type { Resolved } from '../values/resolved.ts';
import type { Param } from '../values/values.ts';
import type { INDICATOR_ARGS } from './args.ts';

/** Parts of the list of indicators, for users. */
export type IndicatorGroup =
  | 'averages'
  | 'trend'
  | 'momentum'
  | 'volatility'
  | 'volume'
  | 'levels'
  | 'statistics';

/** Output in a chart and in a new comparison. */
export type Line = { readonly label: string } & (
  | { readonly pane: 'price' }
  /** `usual` is a number that the output is often compared with. */
  | { readonly pane: 'own'; readonly usual: number }
);

/** Words for the page of rules. */
export interface Row {
  readonly value: string;
  /** Formula and seed, as far as the name leaves them open. */
  readonly formula: string;
  /** Differences to TradingView, TA-Lib or the inventor. */
  readonly elsewhere?: string;
}

/** Schemas of arguments. */
export type Args = typeof INDICATOR_ARGS;

type Shape = z.core.$ZodLooseShape;
type Operand<N extends string, A extends Shape> = z.output<ReturnType<typeof INDICATOR_ARGS.operand<N, A>>>;
type OutputOf<T> = T extends { readonly output: infer O extends string } ? O : 'value';

interface Declared {
  readonly schema: (args: Args) => z.ZodType;
}
type OperandOf<D extends Declared> = z.output<ReturnType<D['schema']>>;

interface Words<N extends string, A extends Shape> {
  /** Returns the name in sentences, and its arguments. */
  readonly words: (of: Operand<N, A>) => IndicatorWords;
  /** Returns the length of a window that is read again at each bar. */
  readonly scans?: (of: Operand<N, A>) => number | Param | undefined;
}

/** Name of an indicator in sentences, and its arguments. Missing ones are left out. */
export type IndicatorWords = readonly [name: string, ...args: (number | string | Param | undefined)[]];

/** Writes a price, unless it is the default. */
export const unusual = (source: PriceName, standard: PriceName = 'close'): string | undefined =>
  source === standard ? undefined : `of ${source}`;

/**
 * Declares an indicator: its arguments and its words.
 *
 * @__NO_SIDE_EFFECTS__
 */
export const indicator = <const N extends string, A extends Shape>(
  name: N,
  argsOf: (args: Args) => A,
  words: Words<NoInfer<N>, NoInfer<A>>,
) => ({ ...words, schema: (args: Args) => args.operand(name, argsOf(args)) });

/** Labels and lines of an indicator for users, apart from the declaration so that bundles without charts leave them out. */
export interface Labels<D extends Declared> {
  readonly group: IndicatorGroup;
  readonly label: string;
  /** Lines by output; `value` if there is only one. */
  readonly lines: { readonly [O in OutputOf<OperandOf<D>>]: Line };
  /** Labels of arguments that differ from those of other indicators. */
  readonly argLabels?: { readonly [K in keyof OperandOf<D>]?: string };
}

/** Session, week or month. */
export type PeriodName = 'day' | 'week' | 'month';

/** Tells the higher bar or the month that a bar of the group belongs to. The timeframe `1d` gives the session. */
export type PeriodsOf = (higher: Timeframe | 'month') => Pick<Periods, 'startOf'>;

/** Returns the value of an indicator in a group, `ago` not applied. Adds the nodes that are missing. */
export type Formula<D extends Declared> = (
  group: Group,
  of: Resolved<OperandOf<D>>,
  periodsOf: PeriodsOf,
) => Value;
