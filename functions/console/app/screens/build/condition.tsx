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
import { getAt, isList, isRecord, type Json, type Path, pathKey, setAt } from '../../rules/json.ts';
import { COMPARISON_LABELS, CONDITION_LABELS, DAY_LABELS } from '../../rules/labels.ts';
import { type ConditionKind, conditionKindOf, innerPaths } from '../../rules/parts.ts';
import { BARS } from '../../rules/schema-slots.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Select, TextInput } from '../../ui/field.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { OperandFields } from './operand.tsx';
import { SlotField } from './slot-field.tsx';

const AROUND = ['all', 'any', 'not', 'for_bars'] as const;
const KINDS = [
  'comparison',
  'time',
  'weekday',
  'bars_in_trade',
  ...AROUND,
] as const satisfies readonly ConditionKind[];

const choicesOf = (kind: ConditionKind) => {
  const kinds = AROUND.some((each) => each === kind) ? AROUND : KINDS;
  const choices: { value: string; label: string }[] = kinds.map((each) => ({
    value: each,
    label: CONDITION_LABELS[each],
  }));
  return kind === 'other' ? [{ value: 'other', label: 'As in the text' }, ...choices] : choices;
};

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const Comparison = ({ path }: { readonly path: Path }) => {
  const { draft, problems, change } = useEditor();
  const op = [...path, 'op'];
  const value = text(getAt(draft, op));
  const known = Object.entries(COMPARISON_LABELS).map(([each, label]) => ({ value: each, label }));
  const isKnown = Object.hasOwn(COMPARISON_LABELS, value);
  return (
    <div class="comparison">
      <OperandFields path={[...path, 'left']} label="Value" />
      <div class="slot" id={placeId(op)}>
        <Field label="Comparison" error={problems.get(pathKey(op))}>
          <Select
            value={value}
            onValue={(chosen) => change(setAt(draft, op, chosen))}
            options={isKnown ? known : [{ value, label: value || 'Choose…' }, ...known]}
          />
        </Field>
      </div>
      <OperandFields path={[...path, 'right']} label="With" />
    </div>
  );
};

/** Time of day, as a text that the check judges. */
export const TimeField = ({ path, label }: { readonly path: Path; readonly label: string }) => {
  const { draft, problems, change } = useEditor();
  return (
    <div class="slot" id={placeId(path)}>
      <Field label={label} error={problems.get(pathKey(path))}>
        <TextInput
          value={text(getAt(draft, path))}
          onValue={(typed) => change(setAt(draft, path, typed.trim()), pathKey(path))}
          placeholder="HH:MM"
          maxLength={5}
        />
      </Field>
    </div>
  );
};

/** Checkboxes of the days of the week. */
export const DayFields = ({ path, label }: { readonly path: Path; readonly label: string }) => {
  const { draft, problems, change } = useEditor();
  const value = getAt(draft, path);
  const days = isList(value) ? value : Object.keys(DAY_LABELS);
  const problem = problems.get(pathKey(path));
  return (
    <fieldset class="days" id={placeId(path)}>
      <legend>{label}</legend>
      <div class="row">
        {Object.entries(DAY_LABELS).map(([day, name]) => (
          <Checkbox
            key={day}
            checked={days.includes(day)}
            onChecked={(isChosen) =>
              change(
                setAt(
                  draft,
                  path,
                  Object.keys(DAY_LABELS).filter((each) => (each === day ? isChosen : days.includes(each))),
                ),
              )
            }
          >
            {name}
          </Checkbox>
        ))}
      </div>
      {problem && <p class="field-error">{problem}</p>}
    </fieldset>
  );
};

const Content = ({ path, kind }: { readonly path: Path; readonly kind: ConditionKind }) => {
  const { draft } = useEditor();
  switch (kind) {
    case 'comparison':
      return <Comparison path={path} />;
    case 'time':
      return (
        <div class="slots">
          <TimeField path={[...path, 'time', 0]} label="From (time of the exchange)" />
          <TimeField path={[...path, 'time', 1]} label="To before" />
        </div>
      );
    case 'weekday':
      return <DayFields path={[...path, 'weekday']} label="The bar starts on" />;
    case 'bars_in_trade':
      return (
        <SlotField path={[...path, 'bars_in_trade']} slot={BARS} label="Trade is at least so many bars old" />
      );
    case 'for_bars':
      return <SlotField path={[...path, 'for_bars']} slot={BARS} label="Bars in a row" />;
    case 'other':
      return (
        <>
          <p class="muted">Rows cannot show this part. It is kept as it is; change it in the text.</p>
          <code class="kept">{JSON.stringify(getAt(draft, path))}</code>
        </>
      );
    default:
      return null;
  }
};

const Tools = ({ path }: { readonly path: Path }) => {
  const { draft, edit } = useEditor();
  const isGrouped = typeof path.at(-1) === 'number';
  return (
    <div class="tools">
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
      {canUnwrap(draft, path) && (
        <Button
          kind="quiet"
          aria-label="Ungroup: keep only what is inside"
          title="Keep only what is inside"
          onClick={() => edit(unwrap(draft, path))}
        >
          Ungroup
        </Button>
      )}
      <Button
        kind="quiet"
        aria-label="Add a condition after this one"
        aria-keyshortcuts="Alt+Enter"
        onClick={() => edit(insertAfter(draft, path, newCondition('comparison')))}
      >
        +
      </Button>
      <Button
        kind="quiet"
        aria-label="Remove condition"
        aria-keyshortcuts="Alt+Delete"
        onClick={() => edit(removeCondition(draft, path))}
      >
        ×
      </Button>
    </div>
  );
};

/** Row of one condition, with the rows of the conditions within. */
export const ConditionRows = ({ path, label }: { readonly path: Path; readonly label: string }) => {
  const { draft, problems, edit } = useEditor();
  const value = getAt(draft, path);
  const kind = conditionKindOf(value);
  const group = kind === 'all' || kind === 'any' ? kind : undefined;
  const inner = innerPaths(value, path);
  const problem = problems.get(pathKey(path)) ?? (group && problems.get(pathKey([...path, group])));
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
    <fieldset
      class={`condition ${inner.length > 0 ? 'condition-group' : ''}`}
      id={placeId(path)}
      onKeyDown={onKeyDown}
    >
      <legend class="unseen">{label}</legend>
      <div class="condition-head">
        <div class="slot slot-kind">
          <Field label={label} error={problem}>
            <Select
              value={kind}
              onValue={(chosen) => {
                const next = KINDS.find((each) => each === chosen);
                if (next) edit(changeKind(draft, path, next));
              }}
              options={choicesOf(kind)}
            />
          </Field>
        </div>
        <Tools path={path} />
      </div>
      <Content path={path} kind={kind} />
      {inner.map((each, index) => (
        <ConditionRows
          key={pathKey(each)}
          path={each}
          label={group ? `Condition ${index + 1}` : 'Condition'}
        />
      ))}
      {group && (
        <div>
          <Button onClick={() => edit(appendTo(draft, path, newCondition('comparison')))}>
            Add condition{isRecord(value) && group === 'any' ? ' (or)' : ''}
          </Button>
        </div>
      )}
    </fieldset>
  );
};
