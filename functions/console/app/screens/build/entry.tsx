import { getAt, isRecord, type Path, pathKey } from '../../rules/json.ts';
import { DISTANCE_LABELS, SIZE_LABELS, STOP_LABELS } from '../../rules/labels.ts';
import { distanceForm, sizeForm } from '../../rules/parts.ts';
import { DISTANCES, type Form, SIZES, SLOTS } from '../../rules/schema-slots.ts';
import { changeDistance, changeOrder, changeSize } from '../../rules/section-edits.ts';
import { STOPS } from '../../rules/stops.ts';
import { Field, Select } from '../../ui/field.tsx';
import { ConditionRows } from './condition.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { PartTools } from './part-tools.tsx';
import { SlotField } from './slot-field.tsx';

const UNITS: Readonly<Record<string, string>> = { percent: '%' };

const FormSlots = ({ path, form }: { readonly path: Path; readonly form: Form }) =>
  form.slots.map((slot) => {
    const unit = UNITS[slot.name];
    return (
      <SlotField
        key={slot.name}
        path={[...path, slot.name]}
        slot={slot}
        {...(unit !== undefined && { unit })}
      />
    );
  });

/** Value of a part that only the text can show. */
const IN_TEXT = 'in-text';
const NONE = 'none';

const optionsOf = (forms: Readonly<Record<string, Form>>, labels: Readonly<Record<string, string>>) =>
  Object.keys(forms).map((value) => ({ value, label: labels[value] ?? value }));

const StopFields = ({ entry, stop }: { readonly entry: Path; readonly stop: (typeof STOPS)[number] }) => {
  const { draft, problems, change } = useEditor();
  const path = [...entry, stop];
  const value = getAt(draft, path);
  const form = distanceForm(value);
  const kind = value === undefined ? NONE : (form?.name ?? IN_TEXT);
  return (
    <div class="slots" id={placeId(path)}>
      <div class="slot slot-kind">
        <Field label={STOP_LABELS[stop]} error={problems.get(pathKey(path))}>
          <Select
            value={kind}
            onValue={(chosen) => change(changeDistance(draft, path, chosen === NONE ? undefined : chosen))}
            options={[
              { value: NONE, label: 'None' },
              ...(kind === IN_TEXT ? [{ value: IN_TEXT, label: 'As in the text' }] : []),
              ...optionsOf(DISTANCES, DISTANCE_LABELS),
            ]}
          />
        </Field>
      </div>
      {form && <FormSlots path={path} form={form} />}
    </div>
  );
};

const SizeFields = ({ entry }: { readonly entry: Path }) => {
  const { draft, problems, change } = useEditor();
  const path = [...entry, 'size'];
  const value = getAt(draft, path);
  const form = sizeForm(value);
  const kind = form?.name ?? (value === undefined ? NONE : IN_TEXT);
  return (
    <div class="slots" id={placeId(path)}>
      <div class="slot slot-kind">
        <Field label="Size of a trade" error={problems.get(pathKey(path))}>
          <Select
            value={kind}
            onValue={(chosen) => change(changeSize(draft, entry, chosen))}
            options={[
              ...(kind === NONE ? [{ value: NONE, label: '100% of equity' }] : []),
              ...(kind === IN_TEXT ? [{ value: IN_TEXT, label: 'As in the text' }] : []),
              ...optionsOf(SIZES, SIZE_LABELS),
            ]}
          />
        </Field>
      </div>
      {form && <FormSlots path={path} form={form} />}
    </div>
  );
};

const ORDERS = [
  { value: 'market', label: 'At the market' },
  { value: 'limit', label: 'Limit order' },
  { value: 'stop', label: 'Stop order' },
] as const;

const OrderFields = ({ entry }: { readonly entry: Path }) => {
  const { draft, problems, change } = useEditor();
  const order = (['limit', 'stop'] as const).find((each) => getAt(draft, [...entry, each]) !== undefined);
  const both = problems.get(pathKey([...entry, 'stop']));
  const path = [...entry, order ?? 'limit'];
  const hasWait = order || getAt(draft, [...entry, 'valid_bars']) !== undefined;
  return (
    <div class="slots" id={placeId([...entry, 'limit'])}>
      <div class="slot slot-kind" id={placeId([...entry, 'stop'])}>
        <Field label="Order" error={both ?? problems.get(pathKey(path))}>
          <Select
            value={order ?? 'market'}
            onValue={(chosen) => change(changeOrder(draft, entry, chosen))}
            options={ORDERS}
          />
        </Field>
      </div>
      {order && isRecord(getAt(draft, path)) && (
        <SlotField path={[...path, 'percent']} slot={SLOTS.offset} label="From the close" unit="%" />
      )}
      {hasWait && <SlotField path={[...entry, 'valid_bars']} slot={SLOTS.validBars} label="Valid for bars" />}
    </div>
  );
};

interface PartProps {
  readonly index: number;
  readonly count: number;
}

/** Rows of an entry: its condition, order, size, stops and target. */
export const EntryRows = ({ index, count }: PartProps) => {
  const { problems } = useEditor();
  const path: Path = ['entries', index];
  const name = count > 1 ? `Entry ${index + 1}` : 'Entry';
  const problem = problems.get(pathKey(path));
  return (
    <section class="card part" id={placeId(path)} tabIndex={-1} aria-label={name}>
      <div class="row row-apart">
        <h3>{name}</h3>
        <PartTools section="entries" index={index} count={count} name={name.toLowerCase()} />
      </div>
      {problem && <p class="field-error">{problem}</p>}
      <SlotField path={[...path, 'side']} slot={SLOTS.side} label="Side" />
      <ConditionRows path={[...path, 'when']} label="When" />
      <div class="entry-options">
        <SizeFields entry={path} />
        <OrderFields entry={path} />
        {STOPS.map((stop) => (
          <StopFields key={stop} entry={path} stop={stop} />
        ))}
      </div>
    </section>
  );
};

/** Rows of an exit. */
export const ExitRows = ({ index, count }: PartProps) => {
  const { problems } = useEditor();
  const path: Path = ['exits', index];
  const name = count > 1 ? `Exit ${index + 1}` : 'Exit';
  const problem = problems.get(pathKey(path));
  return (
    <section class="card part" id={placeId(path)} tabIndex={-1} aria-label={name}>
      <div class="row row-apart">
        <h3>{name}</h3>
        <PartTools section="exits" index={index} count={count} name={name.toLowerCase()} />
      </div>
      {problem && <p class="field-error">{problem}</p>}
      <div class="slots">
        <SlotField path={[...path, 'side']} slot={SLOTS.side} label="Side" />
        <SlotField path={[...path, 'portion']} slot={SLOTS.portion} label="Part to close, 1 = all" />
      </div>
      <ConditionRows path={[...path, 'when']} label="When" />
    </section>
  );
};
