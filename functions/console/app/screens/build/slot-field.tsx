import { useState } from 'preact/hooks';
import { getAt, type Json, type Path, pathKey, removeAt, setAt } from '../../rules/json.ts';
import { CHOICE_LABELS, SLOT_LABELS } from '../../rules/labels.ts';
import { freeName, makeParam } from '../../rules/param-edits.ts';
import { isParam } from '../../rules/parts.ts';
import type { Slot } from '../../rules/schema-slots.ts';
import { numberIn } from '../../rules/typed-numbers.ts';
import { numberText } from '../../typed-decimal.ts';
import { Button } from '../../ui/button.tsx';
import { Field, NumberInput, Select } from '../../ui/field.tsx';
import { placeId, useEditor } from './editor-context.ts';

/** Value of a choice that leaves a field out. */
const NONE = '';

interface FieldProps {
  readonly path: Path;
  readonly slot: Slot;
  readonly label?: string | undefined;
  /** Names of choices that differ from the usual ones. */
  readonly choiceLabels?: Readonly<Record<string, string>>;
  readonly unit?: string;
  /** Text of the choice that leaves the field out. */
  readonly without?: string;
  /** True for numbers that cannot be parameters. */
  readonly isFixed?: boolean;
}

const textOf = (value: Json | undefined): string =>
  typeof value === 'number' ? numberText(value) : typeof value === 'string' ? value : '';

/** Number as it is typed: the text stays while it means the number of the rules. */
const NumberSlot = ({ path, slot, unit }: FieldProps) => {
  const { draft, change } = useEditor();
  const [typed, setTyped] = useState('');
  const value = getAt(draft, path) ?? slot.standard;
  const shown = numberIn(typed) === value ? typed : textOf(value);
  return (
    <NumberInput
      value={shown}
      onValue={(text) => {
        setTyped(text);
        const isLeftOut = text.trim() === '' && slot.isOptional;
        change(isLeftOut ? removeAt(draft, path) : setAt(draft, path, numberIn(text)), pathKey(path));
      }}
      {...(unit !== undefined && { unit })}
    />
  );
};

/** Choice of a parameter in the place of a number. */
const ParamSlot = ({ path }: { readonly path: Path }) => {
  const { draft, params, change } = useEditor();
  const value = getAt(draft, path);
  const chosen = isParam(value) ? value.param : '';
  const names = params.includes(chosen) ? params : [chosen, ...params];
  return (
    <Select
      value={chosen}
      onValue={(param) => change(setAt(draft, path, { param }))}
      options={names.map((name) => ({ value: name, label: name === '' ? 'Choose…' : name }))}
    />
  );
};

const TuneButton = ({ path, slot, label }: Required<Pick<FieldProps, 'path' | 'slot' | 'label'>>) => {
  const { draft, edit } = useEditor();
  const value = getAt(draft, path) ?? slot.standard;
  if (isParam(value)) {
    const standard = getAt(draft, ['params', value.param, 'default']) ?? slot.initial ?? 1;
    return (
      <Button
        kind="quiet"
        class="tune"
        aria-label={`Fix ${label}`}
        title="Make this a fixed number"
        onClick={() => edit({ draft: setAt(draft, path, standard), focus: path })}
      >
        Fix
      </Button>
    );
  }
  if (typeof value !== 'number') return null;
  return (
    <Button
      kind="quiet"
      class="tune"
      aria-label={`Tune ${label}`}
      title="Make this a parameter that copies and sweeps can tune"
      onClick={() =>
        edit({
          draft: makeParam(setAt(draft, path, value), path, freeName(draft, slot.name)),
          focus: path,
        })
      }
    >
      Tune
    </Button>
  );
};

const ChoiceSlot = ({ path, slot, without, choiceLabels = CHOICE_LABELS }: FieldProps) => {
  const { draft, change } = useEditor();
  if (slot.kind !== 'choice') return null;
  const value = textOf(getAt(draft, path) ?? slot.standard);
  const choices = slot.choices.map((each) => ({ value: each, label: choiceLabels[each] ?? each }));
  const none = slot.isOptional || value === NONE ? [{ value: NONE, label: without ?? 'Choose…' }] : [];
  const isKnown = value === NONE || slot.choices.includes(value);
  const unknown = isKnown ? [] : [{ value, label: `${value} (unknown)` }];
  return (
    <Select
      value={value}
      onValue={(chosen) => change(chosen === NONE ? removeAt(draft, path) : setAt(draft, path, chosen))}
      options={[...none, ...unknown, ...choices]}
    />
  );
};

/** Field of one number or choice of the rules. Numbers can be made parameters. */
export const SlotField = (props: FieldProps) => {
  const { path, slot, label = SLOT_LABELS[slot.name] ?? slot.name } = props;
  const { draft, problems } = useEditor();
  const isReference = isParam(getAt(draft, path));
  return (
    <div class={`slot slot-${slot.kind}`} id={placeId(path)}>
      <Field
        label={label}
        error={problems.get(pathKey(path))}
        hint={
          slot.kind === 'number' && problems.has(pathKey(path)) && slot.range
            ? `Range: ${slot.range}`
            : undefined
        }
      >
        {slot.kind === 'choice' ? (
          <ChoiceSlot {...props} />
        ) : isReference ? (
          <ParamSlot path={path} />
        ) : (
          <NumberSlot {...props} />
        )}
      </Field>
      {slot.kind === 'number' && !props.isFixed && <TuneButton path={path} slot={slot} label={label} />}
    </div>
  );
};
