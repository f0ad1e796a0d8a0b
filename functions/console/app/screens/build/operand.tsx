import { useState } from 'preact/hooks';
import { argLabelOf, INDICATOR_WORDS, outputLabelsOf } from '../../rules/indicator-labels.ts';
import { getAt, isRecord, type Json, type Path, pathKey, setAt } from '../../rules/json.ts';
import { CHOICE_LABELS, GROUP_LABELS, OPERAND_LABELS, SLOT_LABELS } from '../../rules/labels.ts';
import { changeIndicator, changeOperandKind, fitLevel } from '../../rules/operand-edits.ts';
import { ARITHMETIC, indicatorForm, operandKindOf } from '../../rules/parts.ts';
import { AGO, NUMBER, PRICE_NAMES, type Slot } from '../../rules/schema-slots.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceChip, type ChoiceGroup } from './chip.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { SlotChip } from './slot-chip.tsx';

const SIGNS = { add: '+', subtract: '−', multiply: '×', divide: '÷' } as const;

const indicatorGroups: readonly ChoiceGroup[] = Object.entries(GROUP_LABELS).map(([group, label]) => ({
  label,
  choices: Object.entries(INDICATOR_WORDS)
    .filter(([, words]) => words.group === group)
    .map(([name, words]) => ({ value: `indicator:${name}`, label: words.label })),
}));

const groupsWith = (params: readonly string[], unknown: string | undefined): ChoiceGroup[] => [
  {
    label: 'Prices of the bar',
    choices: PRICE_NAMES.map((name) => ({ value: `price:${name}`, label: CHOICE_LABELS[name] ?? name })),
  },
  { label: 'Fixed', choices: [{ value: 'number', label: OPERAND_LABELS.number }] },
  ...(params.length > 0
    ? [{ label: 'Parameters', choices: params.map((name) => ({ value: `param:${name}`, label: name })) }]
    : []),
  ...indicatorGroups.filter(({ choices }) => choices.length > 0),
  {
    label: 'Arithmetic',
    choices: ARITHMETIC.map((each) => ({ value: each, label: OPERAND_LABELS[each] })),
  },
  ...(unknown === undefined ? [] : [{ choices: [{ value: unknown, label: 'As in the text' }] }]),
];

/** Returns the short name of an indicator's line. */
const indicatorText = (value: Json | undefined): string | undefined => {
  if (!isRecord(value) || typeof value.indicator !== 'string') return undefined;
  const words = INDICATOR_WORDS[value.indicator];
  if (!words) return undefined;
  const [name = words.label] = words.label.split(', ');
  return name;
};

const shownText = (value: Json | undefined, kind: string): string | undefined => {
  if (kind === 'indicator') return indicatorText(value);
  if (kind === 'price' && isRecord(value)) {
    const name = String(value.price ?? '');
    return (CHOICE_LABELS[name] ?? name).toLowerCase();
  }
  if (kind === 'param' && isRecord(value)) return String(value.param);
  return undefined;
};

/** Choice of the value of one side of a comparison. */
const KindChip = ({ path, label }: { readonly path: Path; readonly label: string }) => {
  const { draft, params, change, problems } = useEditor();
  const value = getAt(draft, path);
  const kind = operandKindOf(value);
  const name = isRecord(value) ? String(value[kind] ?? '') : '';
  const chosen = ['indicator', 'price', 'param'].includes(kind) ? `${kind}:${name}` : kind;
  const isUnknown =
    kind === 'other' ||
    (kind === 'param' && !params.includes(name)) ||
    (kind === 'price' && !PRICE_NAMES.includes(name));
  const choose = (choice: string): void => {
    const [to = '', of = ''] = choice.split(':');
    if (to === 'indicator') {
      const made = changeIndicator(changeOperandKind(draft, path, 'indicator'), path, of);
      change(fitLevel(made, path));
    } else if (to === 'price') {
      const ago = isRecord(value) && kind === 'price' ? (value.ago ?? 0) : 0;
      change(setAt(draft, path, { price: of, ago }));
    } else if (to === 'param') change(setAt(draft, path, { param: of }));
    else change(changeOperandKind(draft, path, ARITHMETIC.find((each) => each === to) ?? 'number'));
  };
  const problem = kind === 'number' ? undefined : problems.get(pathKey(path));
  const problemId = problem === undefined ? undefined : `${placeId(path)}-problem`;
  const sign = ARITHMETIC.find((each) => each === kind);
  return (
    <>
      <ChoiceChip
        label={label}
        text={sign ? SIGNS[sign] : (shownText(value, kind) ?? (kind === 'number' ? '#' : undefined))}
        value={chosen}
        onValue={choose}
        groups={groupsWith(params, isUnknown ? chosen : undefined)}
        problemId={problemId}
      />
      {problem !== undefined && (
        <span class="field-error" id={problemId}>
          {problem}
        </span>
      )}
    </>
  );
};

/** Arguments that are rarely changed. */
const RARE: readonly string[] = ['source', 'timeframe', 'ago'];
/** Words before rare arguments. */
const BEFORE: Readonly<Record<string, string>> = { source: 'of', timeframe: 'on', ago: '' };
const AFTER: Readonly<Record<string, string>> = { ago: 'bars ago' };

const RareSlots = ({ path, slots }: { readonly path: Path; readonly slots: readonly Slot[] }) => {
  const { draft, problems } = useEditor();
  const [isOpen, setOpen] = useState(false);
  const isShown = (slot: Slot): boolean => {
    const value = getAt(draft, [...path, slot.name]);
    const isUsual = value === undefined || value === slot.standard;
    return isOpen || !isUsual || problems.has(pathKey([...path, slot.name]));
  };
  return (
    <>
      {slots.filter(isShown).map((slot) => (
        <span key={slot.name} class="chip-words">
          {BEFORE[slot.name]}
          <SlotChip path={[...path, slot.name]} slot={slot} without="the strategy’s bars" />
          {AFTER[slot.name]}
        </span>
      ))}
      <Button
        kind="quiet"
        class="chip-more"
        aria-expanded={isOpen}
        aria-label="More of this value: price, timeframe, bars ago"
        title="Price, timeframe, bars ago"
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </Button>
    </>
  );
};

const Arguments = ({ path }: { readonly path: Path }) => {
  const { draft } = useEditor();
  const form = indicatorForm(getAt(draft, path));
  if (!form) return null;
  const name = indicatorText(getAt(draft, path)) ?? form.name;
  return (
    <>
      {form.slots
        .filter((slot) => !RARE.includes(slot.name))
        .map((slot) => (
          <SlotChip
            key={slot.name}
            path={[...path, slot.name]}
            slot={slot}
            label={`${argLabelOf(form.name, slot.name) ?? SLOT_LABELS[slot.name] ?? slot.name} of ${name}`}
            {...(slot.name === 'output' && { choiceLabels: outputLabelsOf(form.name) })}
          />
        ))}
      <RareSlots path={path} slots={form.slots.filter((slot) => RARE.includes(slot.name))} />
    </>
  );
};

/** Value of one side of a comparison: a price, an indicator, a number, a parameter or arithmetic. */
export const OperandChips = ({ path, label }: { readonly path: Path; readonly label: string }) => {
  const { draft } = useEditor();
  const value = getAt(draft, path);
  const kind = operandKindOf(value);
  const pair = ARITHMETIC.find((each) => each === kind);
  if (pair) {
    return (
      <span class="operand" id={placeId(path)}>
        <span aria-hidden="true">(</span>
        <OperandChips path={[...path, pair, 0]} label={`${label}, first part`} />
        <KindChip path={path} label={`${label}, operation`} />
        <OperandChips path={[...path, pair, 1]} label={`${label}, second part`} />
        <span aria-hidden="true">)</span>
      </span>
    );
  }
  return (
    <span class="operand" id={kind === 'number' ? undefined : placeId(path)}>
      {kind === 'number' ? (
        <>
          <SlotChip path={path} slot={NUMBER} label={`${label}, number`} />
          <span class="operand-kind">
            <KindChip path={path} label={label} />
          </span>
        </>
      ) : (
        <KindChip path={path} label={label} />
      )}
      {kind === 'price' && <RareSlots path={path} slots={[AGO]} />}
      {kind === 'indicator' && <Arguments path={path} />}
      {kind === 'other' && <code class="kept">{JSON.stringify(value)}</code>}
    </span>
  );
};
