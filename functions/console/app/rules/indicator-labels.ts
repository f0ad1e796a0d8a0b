import type { IndicatorGroup, Line } from '../../../../shared/domain/engine/indicators/declare.ts';
import { LABELS } from '../../../../shared/domain/engine/indicators/list.ts';
import { own } from '../../../../shared/domain/unknown-fields.ts';

/** Words and lines of an indicator for the console. */
export interface IndicatorWords {
  readonly label: string;
  readonly group: IndicatorGroup;
  /** Lines by output; `value` if there is only one. */
  readonly lines: Readonly<Record<string, Line>>;
  /** Labels of arguments that differ from those of other indicators. */
  readonly argLabels?: Readonly<Record<string, string | undefined>>;
}

/** Indicators by name, in the order of the list. */
export const INDICATOR_WORDS: Readonly<Record<string, IndicatorWords>> = LABELS;

/** Names of indicators, in the order of the list. */
export const INDICATOR_LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(INDICATOR_WORDS).map(([name, { label }]) => [name, label]),
);

/** Returns the label of an indicator's argument, if it is not the usual one. */
export const argLabelOf = (indicator: string, argument: string): string | undefined =>
  own(INDICATOR_WORDS, indicator)?.argLabels?.[argument];

/** Returns the names of an indicator's outputs. */
export const outputLabelsOf = (indicator: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(own(INDICATOR_WORDS, indicator)?.lines ?? {}).map(([name, { label }]) => [name, label]),
  );
