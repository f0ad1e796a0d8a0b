import { argLabelOf, outputLabelsOf } from '../../rules/indicator-labels.ts';
import { getAt, type Path } from '../../rules/json.ts';
import { SLOT_LABELS } from '../../rules/labels.ts';
import { ARITHMETIC, indicatorForm, operandKindOf } from '../../rules/parts.ts';
import { NUMBER, PRICE } from '../../rules/schema-slots.ts';
import { placeId, useEditor } from './editor-context.ts';
import { indicatorText, OperandKindChip } from './operand-kind.tsx';
import { RareSlots } from './rare-slots.tsx';
import { SlotChip } from './slot-chip.tsx';

/** Arguments that are rarely changed. */
const RARE: readonly string[] = ['source', 'seed', 'first_bar', 'timeframe', 'ago'];

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
      <RareSlots
        path={path}
        slots={form.slots.filter((slot) => RARE.includes(slot.name))}
        names="price, timeframe, bars ago"
      />
    </>
  );
};

/** Value of one side of a comparison: a price, an indicator, a number, a parameter, of the trade or arithmetic. */
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
        <OperandKindChip path={path} label={`${label}, operation`} />
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
            <OperandKindChip path={path} label={label} />
          </span>
        </>
      ) : (
        <OperandKindChip path={path} label={label} />
      )}
      {kind === 'price' && (
        <RareSlots
          path={path}
          slots={PRICE.slots.filter(({ name }) => name !== 'price')}
          names="candles, timeframe, bars ago"
        />
      )}
      {kind === 'indicator' && <Arguments path={path} />}
      {kind === 'other' && <code class="kept">{JSON.stringify(value)}</code>}
    </span>
  );
};
