import type { ComponentChildren } from 'preact';
import { changeKind, turnMove } from '../../rules/edits.ts';
import { getAt, type Path, pathKey, setAt } from '../../rules/json.ts';
import { COMPARISON_LABELS, COMPARISON_SIGNS } from '../../rules/labels.ts';
import { type ConditionKind, patternForm, readsTrade } from '../../rules/parts.ts';
import { BARS, MOVE_BARS } from '../../rules/schema-slots.ts';
import { ChoiceChip } from './chip.tsx';
import { conditionChoice, patternGroups } from './condition-menu.ts';
import { DayFields, TimeChip } from './days.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { OperandChips } from './operand.tsx';
import { RareSlots } from './rare-slots.tsx';
import { SlotChip } from './slot-chip.tsx';

const OpChip = ({ path }: { readonly path: Path }) => {
  const { draft, problems, change } = useEditor();
  const value = getAt(draft, path);
  const op = typeof value === 'string' ? value : '';
  // A trade has no values of the bar before, which a cross needs.
  const isTraded = readsTrade(getAt(draft, path.slice(0, -1)));
  const known = Object.entries(COMPARISON_LABELS)
    .filter(([each]) => !(isTraded && each.startsWith('crosses')))
    .map(([each, label]) => ({ value: each, label }));
  const problem = problems.get(pathKey(path));
  const problemId = problem === undefined ? undefined : `${placeId(path)}-problem`;
  return (
    <span class="slot" id={placeId(path)}>
      <ChoiceChip
        label="Comparison"
        text={COMPARISON_SIGNS[op] ?? (op || 'Choose…')}
        value={op}
        onValue={(chosen) => change(setAt(draft, path, chosen))}
        groups={[
          {
            choices: known.some((each) => each.value === op)
              ? known
              : [{ value: op, label: COMPARISON_LABELS[op] ?? (op || 'Choose…') }, ...known],
          },
        ]}
        problemId={problemId}
      />
      {problem !== undefined && (
        <span class="field-error" id={problemId}>
          {problem}
        </span>
      )}
    </span>
  );
};

const MOVE_CHOICES = [
  { value: 'rising', label: 'rises' },
  { value: 'falling', label: 'falls' },
];

/** Words of a value that rises or falls. */
const MoveWords = ({ path, kind }: { readonly path: Path; readonly kind: 'rising' | 'falling' }) => {
  const { draft, change } = useEditor();
  return (
    <>
      <OperandChips path={[...path, kind]} label="Value" />
      <ChoiceChip
        label="Rises or falls"
        value={kind}
        groups={[{ choices: MOVE_CHOICES }]}
        onValue={(chosen) => change(turnMove(draft, path, chosen === 'falling' ? 'falling' : 'rising'))}
      />
      for <SlotChip path={[...path, 'bars']} slot={MOVE_BARS} label="Bars in a row" /> bars in a row
    </>
  );
};

/** Words of a pattern of candles, with the thresholds that are not the usual ones. */
const PatternWords = ({ path }: { readonly path: Path }) => {
  const { draft, change } = useEditor();
  const form = patternForm(getAt(draft, path));
  if (!form) return null;
  return (
    <span class="operand operand-flow" id={placeId([...path, 'pattern'])}>
      candles form{' '}
      <ChoiceChip
        label="Pattern"
        value={`pattern:${form.name}`}
        groups={patternGroups}
        onValue={(chosen) => {
          const choice = conditionChoice(path, chosen);
          if (choice) change(changeKind(draft, path, choice).draft);
        }}
      />
      <RareSlots path={path} slots={form.slots} names="thresholds, timeframe, bars ago" />
    </span>
  );
};

/** Words of a condition, without those of the conditions within. */
export const ConditionWords = ({
  path,
  kind,
}: {
  readonly path: Path;
  readonly kind: ConditionKind;
}): ComponentChildren => {
  const { draft, texts } = useEditor();
  const text = texts.get(pathKey(path));
  switch (kind) {
    case 'comparison':
      return (
        <>
          <OperandChips path={[...path, 'left']} label="Value" />
          <OpChip path={[...path, 'op']} />
          <OperandChips path={[...path, 'right']} label="With" />
        </>
      );
    case 'between':
      return (
        <>
          <OperandChips path={[...path, 'value']} label="Value" /> is between{' '}
          <OperandChips path={[...path, 'between', 0]} label="Lower bound" /> and{' '}
          <OperandChips path={[...path, 'between', 1]} label="Upper bound" />
        </>
      );
    case 'rising':
    case 'falling':
      return <MoveWords path={path} kind={kind} />;
    case 'pattern':
      return <PatternWords path={path} />;
    case 'time':
      return (
        <>
          time from <TimeChip path={[...path, 'time', 0]} label="From (time of the exchange)" /> to before{' '}
          <TimeChip path={[...path, 'time', 1]} label="To before" />
        </>
      );
    case 'weekday':
      return <DayFields path={[...path, 'weekday']} label="day is" />;
    case 'bars_in_trade':
      return (
        <>
          trade is at least{' '}
          <SlotChip path={[...path, 'bars_in_trade']} slot={BARS} label="Least age of the trade in bars" />{' '}
          bars old
        </>
      );
    case 'for_bars':
      return (
        <>
          for <SlotChip path={[...path, 'for_bars']} slot={BARS} label="Bars in a row" /> bars in a row
        </>
      );
    case 'all':
      return 'all of';
    case 'any':
      return 'any of';
    case 'not':
      return 'not';
    default:
      return (
        <>
          {text === undefined ? (
            <code class="kept">{JSON.stringify(getAt(draft, path))}</code>
          ) : (
            <span>{text}</span>
          )}
          <span class="muted">Only the text can change this part.</span>
        </>
      );
  }
};
