import { useState } from 'preact/hooks';
import { getAt, type Json, type Path, pathKey, removeAt, setAt } from '../../rules/json.ts';
import { CHOICE_LABELS, SLOT_LABELS, WITHOUT_LABELS } from '../../rules/labels.ts';
import { freeName, makeParam } from '../../rules/param-edits.ts';
import { isParam } from '../../rules/parts.ts';
import type { Slot } from '../../rules/schema-slots.ts';
import { numberIn, steppedNumber } from '../../rules/typed-numbers.ts';
import { numberText } from '../../typed-decimal.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceChip, TextChip } from './chip.tsx';
import { placeId, useEditor } from './editor-context.ts';

/** Value of a choice that leaves a field out. */
const NONE = '';
/** Value of a choice that makes a parameter a number. */
const FIXED = '=fixed';

interface SlotProps {
  readonly path: Path;
  readonly slot: Slot;
  readonly label?: string | undefined;
  readonly unit?: string | undefined;
  /** True for numbers that cannot be parameters. */
  readonly isFixed?: boolean;
  /** Names of the choices that differ from those of other fields. */
  readonly choiceLabels?: Readonly<Record<string, string>>;
}

type ChipProps = SlotProps & { readonly label: string; readonly problemId: string | undefined };

const textOf = (value: Json | undefined): string =>
  typeof value === 'number' ? numberText(value) : typeof value === 'string' ? value : '';

/** Number as it is typed: the text stays while it means the number of the rules. */
const NumberSlot = ({ path, slot, label, unit, problemId, isFixed = false }: ChipProps) => {
  const { draft, change, edit } = useEditor();
  const [typed, setTyped] = useState('');
  const value = getAt(draft, path) ?? slot.standard;
  const shown = numberIn(typed) === value ? typed : textOf(value);
  const isWhole = slot.kind === 'number' && slot.isWhole;
  return (
    <>
      <TextChip
        label={label}
        value={shown}
        unit={unit}
        isNumber
        problemId={problemId}
        onValue={(text) => {
          setTyped(text);
          const isLeftOut = text.trim() === '' && slot.isOptional;
          change(isLeftOut ? removeAt(draft, path) : setAt(draft, path, numberIn(text)), pathKey(path));
        }}
        onStep={(step) =>
          typeof value === 'number' ? numberText(steppedNumber(value, step, isWhole)) : undefined
        }
        {...(slot.isOptional && { placeholder: 'any' })}
      />
      {!isFixed && typeof value === 'number' && (
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
      )}
    </>
  );
};

/** Choice of a parameter in the place of a number, or of a number again. */
const ParamSlot = ({ path, slot, label, unit, problemId }: ChipProps) => {
  const { draft, params, change } = useEditor();
  const value = getAt(draft, path);
  const chosen = isParam(value) ? value.param : '';
  const names = params.includes(chosen) ? params : [chosen, ...params];
  const standard = getAt(draft, ['params', chosen, 'default']) ?? slot.initial ?? 1;
  const choose = (to: string): void => change(setAt(draft, path, to === FIXED ? standard : { param: to }));
  return (
    <ChoiceChip
      label={label}
      text={`${chosen || '?'} = ${textOf(standard)}${unit ?? ''}`}
      value={chosen}
      onValue={choose}
      problemId={problemId}
      groups={[
        { label: 'Parameters', choices: names.map((name) => ({ value: name, label: name || 'Choose…' })) },
        { label: 'Fixed', choices: [{ value: FIXED, label: `The number ${textOf(standard)}` }] },
      ]}
    />
  );
};

const ChoiceSlot = ({ path, slot, label, choiceLabels, problemId }: ChipProps) => {
  const { draft, change } = useEditor();
  if (slot.kind !== 'choice') return null;
  const value = textOf(getAt(draft, path) ?? slot.standard);
  const choices = slot.choices.map((each) => ({
    value: each,
    label: choiceLabels?.[each] ?? CHOICE_LABELS[each] ?? each,
  }));
  const none =
    slot.isOptional || value === NONE ? [{ value: NONE, label: WITHOUT_LABELS[slot.name] ?? 'Choose…' }] : [];
  const isKnown = value === NONE || slot.choices.includes(value);
  const unknown = isKnown ? [] : [{ value, label: `${value} (unknown)` }];
  return (
    <ChoiceChip
      label={label}
      value={value}
      onValue={(chosen) => change(chosen === NONE ? removeAt(draft, path) : setAt(draft, path, chosen))}
      groups={[{ choices: [...none, ...unknown, ...choices] }]}
      problemId={problemId}
    />
  );
};

/** Number or choice of the rules as a word of a sentence. Numbers can be made parameters. */
export const SlotChip = (props: SlotProps) => {
  const { path, slot, label = SLOT_LABELS[slot.name] ?? slot.name } = props;
  const { draft, problems } = useEditor();
  const problem = problems.get(pathKey(path));
  const problemId = problem === undefined ? undefined : `${placeId(path)}-problem`;
  const chip = { ...props, label, problemId };
  return (
    <span class="slot" id={placeId(path)}>
      {slot.kind === 'choice' ? (
        <ChoiceSlot {...chip} />
      ) : isParam(getAt(draft, path)) ? (
        <ParamSlot {...chip} />
      ) : (
        <NumberSlot {...chip} />
      )}
      {problem !== undefined && (
        <span class="field-error" id={problemId}>
          {problem}
          {slot.kind === 'number' && slot.range ? ` Range: ${slot.range}.` : ''}
        </span>
      )}
    </span>
  );
};
