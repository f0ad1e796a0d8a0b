import type { ComponentChildren } from 'preact';
import {
  appendTo,
  canUnwrap,
  changeKind,
  insertAfter,
  moveCondition,
  newCondition,
  removeCondition,
  unwrap,
} from '../../rules/edits.ts';
import { getAt, type Path, pathKey, setAt } from '../../rules/json.ts';
import { COMPARISON_LABELS, COMPARISON_SIGNS, CONDITION_LABELS } from '../../rules/labels.ts';
import { type ConditionKind, conditionKindOf, innerPaths } from '../../rules/parts.ts';
import { BARS } from '../../rules/schema-slots.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceChip } from './chip.tsx';
import { DayFields, TimeChip } from './days.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { OperandChips } from './operand.tsx';
import { SlotChip } from './slot-chip.tsx';

const KINDS = [
  'comparison',
  'time',
  'weekday',
  'bars_in_trade',
  'all',
  'any',
  'not',
  'for_bars',
] as const satisfies readonly ConditionKind[];

const UNGROUP = 'ungroup';

const OpChip = ({ path }: { readonly path: Path }) => {
  const { draft, problems, change } = useEditor();
  const value = getAt(draft, path);
  const op = typeof value === 'string' ? value : '';
  const known = Object.entries(COMPARISON_LABELS).map(([each, label]) => ({ value: each, label }));
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
            choices: Object.hasOwn(COMPARISON_LABELS, op)
              ? known
              : [{ value: op, label: op || 'Choose…' }, ...known],
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

/** Words of a condition, without those of the conditions within. */
const Words = ({ path, kind }: { readonly path: Path; readonly kind: ConditionKind }): ComponentChildren => {
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

/** Changes of a condition as a whole. */
const Tools = ({ path, kind }: { readonly path: Path; readonly kind: ConditionKind }) => {
  const { draft, edit } = useEditor();
  const isGrouped = typeof path.at(-1) === 'number';
  const kinds = KINDS.map((each) => ({ value: each, label: CONDITION_LABELS[each] }));
  const other = kind === 'other' ? [{ value: 'other', label: 'As in the text' }] : [];
  const ungroup = canUnwrap(draft, path) ? [{ value: UNGROUP, label: 'Keep only what is inside' }] : [];
  const choose = (chosen: string): void => {
    const next = KINDS.find((each) => each === chosen);
    if (next) edit(changeKind(draft, path, next));
    else if (chosen === UNGROUP) edit(unwrap(draft, path));
  };
  return (
    <span class="line-tools">
      {isGrouped && (
        <>
          <Button
            kind="quiet"
            aria-label="Move condition up"
            aria-keyshortcuts="Alt+ArrowUp"
            onClick={() => edit(moveCondition(draft, path, -1))}
          >
            ↑
          </Button>
          <Button
            kind="quiet"
            aria-label="Move condition down"
            aria-keyshortcuts="Alt+ArrowDown"
            onClick={() => edit(moveCondition(draft, path, 1))}
          >
            ↓
          </Button>
        </>
      )}
      <ChoiceChip
        label="Kind of condition"
        text="▾"
        value={kind}
        onValue={choose}
        groups={[{ choices: [...other, ...kinds, ...ungroup] }]}
      />
      <Button
        kind="quiet"
        aria-label="Remove condition"
        aria-keyshortcuts="Alt+Delete"
        onClick={() => edit(removeCondition(draft, path))}
      >
        ×
      </Button>
    </span>
  );
};

/** Sign of a condition at the bar of the chart. */
const Held = ({ path }: { readonly path: Path }) => {
  const holds = useEditor().held?.get(pathKey(path));
  if (holds === undefined) return <span class="held" aria-hidden="true" />;
  const text = holds ? 'Holds at this bar of the chart' : 'Does not hold at this bar of the chart';
  return (
    <span class={`held ${holds ? 'held-yes' : 'held-no'}`} role="img" aria-label={text} title={text}>
      {holds ? '✓' : '·'}
    </span>
  );
};

const JOINERS = [
  { value: 'all', label: 'and' },
  { value: 'any', label: 'or' },
];

/** Word between the members of a group. */
const Joiner = ({ path, group }: { readonly path: Path; readonly group: 'all' | 'any' }) => {
  const { draft, edit } = useEditor();
  return (
    <ChoiceChip
      label="All or any of the group"
      value={group}
      groups={[{ choices: JOINERS }]}
      onValue={(chosen) => edit(changeKind(draft, path, chosen === 'any' ? 'any' : 'all'))}
    />
  );
};

interface LineProps {
  readonly path: Path;
  readonly label: string;
  /** Word before the condition. */
  readonly before?: ComponentChildren;
}

/** A condition as a sentence, with the conditions within below it. */
export const ConditionLines = ({ path, label, before }: LineProps) => {
  const { draft, problems, edit } = useEditor();
  const value = getAt(draft, path);
  const kind = conditionKindOf(value);
  const group = kind === 'all' || kind === 'any' ? kind : undefined;
  const inner = innerPaths(value, path);
  const problem = problems.get(pathKey(path)) ?? (group && problems.get(pathKey([...path, group])));
  const isOutermost = typeof path.at(-1) !== 'number';
  // The joining words say it all for a group of two or more.
  const hasLine = !group || !isOutermost || inner.length < 2;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.altKey || event.defaultPrevented) return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === -1 || step === 1) edit(moveCondition(draft, path, step));
    else if (event.key === 'Enter') edit(insertAfter(draft, path, newCondition('comparison')));
    else if (event.key === 'Delete') edit(removeCondition(draft, path));
    else return;
    event.preventDefault();
  };
  return (
    <fieldset class="condition" id={placeId(path)} onKeyDown={onKeyDown}>
      <legend class="unseen">{label}</legend>
      {hasLine && (
        <div class="line">
          <Held path={path} />
          <span class="line-words">
            {before}
            <Words path={path} kind={kind} />
          </span>
          <Tools path={path} kind={kind} />
        </div>
      )}
      {problem !== undefined && <p class="field-error">{problem}</p>}
      {inner.length > 0 && (
        <div class={hasLine ? 'condition-inner' : 'condition-list'}>
          {inner.map((each, index) => (
            <ConditionLines
              key={pathKey(each)}
              path={each}
              label={group ? `Condition ${index + 1}` : 'Condition'}
              before={
                group && index > 0 ? <Joiner path={path} group={group} /> : hasLine ? undefined : before
              }
            />
          ))}
        </div>
      )}
      {(group || isOutermost) && (
        <div class="line-add">
          <Button
            kind="quiet"
            aria-keyshortcuts="Alt+Enter"
            onClick={() =>
              edit(
                group
                  ? appendTo(draft, path, newCondition('comparison'))
                  : insertAfter(draft, path, newCondition('comparison')),
              )
            }
          >
            + {group === 'any' ? 'or' : 'and'} a condition
          </Button>
        </div>
      )}
    </fieldset>
  );
};
