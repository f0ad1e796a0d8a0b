import type { Path } from '../../rules/json.ts';
import { CONDITION_LABELS, TRADE_LABELS } from '../../rules/labels.ts';
import type { ConditionChoice } from '../../rules/new-conditions.ts';
import { PATTERN_GROUPS } from '../../rules/pattern-labels.ts';

interface ConditionGroup {
  readonly label: string;
  readonly choices: readonly { readonly value: ConditionChoice; readonly label: string }[];
}

const kinds = (label: string, ...of: (keyof typeof CONDITION_LABELS)[]): ConditionGroup => ({
  label,
  choices: of.map((value) => ({ value, label: CONDITION_LABELS[value] })),
});

/** Patterns of candles, bullish and bearish ones apart. */
export const patternGroups: readonly ConditionGroup[] = Object.entries(PATTERN_GROUPS).map(
  ([label, names]) => ({
    label,
    choices: Object.entries(names).map(([name, text]) => ({ value: `pattern:${name}`, label: text })),
  }),
);

const trade: ConditionGroup = {
  label: 'The open trade',
  choices: [
    ...Object.entries(TRADE_LABELS).map(([name, label]) => ({ value: `trade:${name}` as const, label })),
    { value: 'bars_in_trade', label: CONDITION_LABELS.bars_in_trade },
  ],
};

/** Returns the kinds of conditions that a place offers. Only exits have a trade that is open. */
export const conditionGroups = (path: Path): readonly ConditionGroup[] => [
  kinds('Values', 'comparison', 'between', 'rising', 'falling'),
  ...(path[0] === 'exits' ? [trade] : []),
  ...patternGroups,
  kinds('Time', 'time', 'weekday', ...(path[0] === 'exits' ? [] : (['bars_in_trade'] as const))),
  kinds('Around conditions', 'all', 'any', 'not', 'for_bars'),
];

/** Finds the choice of a text of the list. */
export const conditionChoice = (path: Path, chosen: string): ConditionChoice | undefined =>
  conditionGroups(path)
    .flatMap(({ choices }) => choices)
    .find(({ value }) => value === chosen)?.value;
