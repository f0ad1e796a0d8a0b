import { createElement } from 'preact';
import { argLabelOf, INDICATOR_LABELS, outputLabelsOf } from '../../rules/indicator-labels.ts';
import { getAt, isRecord, type Path, pathKey, setAt } from '../../rules/json.ts';
import { CHOICE_LABELS, OPERAND_LABELS } from '../../rules/labels.ts';
import { changeIndicator, changeOperandKind } from '../../rules/operand-edits.ts';
import { ARITHMETIC, indicatorForm, operandKindOf } from '../../rules/parts.ts';
import { AGO, INDICATORS, NUMBER, PRICE_NAMES } from '../../rules/schema-slots.ts';
import { Field, useControl } from '../../ui/field.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { SlotField } from './slot-field.tsx';

const Options = ({
  label,
  names,
  kind,
  labels,
}: {
  readonly label: string;
  readonly names: readonly string[];
  readonly kind: string;
  readonly labels: Readonly<Record<string, string>>;
}) => (
  <optgroup label={label}>
    {names.map((name) => (
      <option key={name} value={kind === '' ? name : `${kind}:${name}`}>
        {labels[name] ?? name}
      </option>
    ))}
  </optgroup>
);

/** Choice of the value of one side of a comparison. */
const KindSelect = ({ path }: { readonly path: Path }) => {
  const { draft, params, change } = useEditor();
  const control = useControl();
  const value = getAt(draft, path);
  const kind = operandKindOf(value);
  const name = isRecord(value) ? String(value[kind] ?? '') : '';
  const chosen = ['indicator', 'price', 'param'].includes(kind) ? `${kind}:${name}` : kind;
  const isUnknownParam = kind === 'param' && !params.includes(name);
  const isUnknownPrice = kind === 'price' && !PRICE_NAMES.includes(name);
  const choose = (choice: string): void => {
    const [to = '', of = ''] = choice.split(':');
    if (to === 'indicator') {
      const made = changeOperandKind(draft, path, 'indicator');
      change(changeIndicator(made, path, of));
    } else if (to === 'price') {
      const ago = isRecord(value) && kind === 'price' ? (value.ago ?? 0) : 0;
      change(setAt(draft, path, { price: of, ago }));
    } else if (to === 'param') change(setAt(draft, path, { param: of }));
    else {
      const operation = ARITHMETIC.find((each) => each === to);
      change(changeOperandKind(draft, path, operation ?? 'number'));
    }
  };
  return createElement(
    'select',
    {
      ...control,
      value: chosen,
      onChange: ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) =>
        choose(currentTarget.value),
    },
    <Options label="Indicators" kind="indicator" names={Object.keys(INDICATORS)} labels={INDICATOR_LABELS} />,
    <Options label="Prices of the bar" kind="price" names={PRICE_NAMES} labels={CHOICE_LABELS} />,
    <Options label="Fixed" kind="" names={['number']} labels={OPERAND_LABELS} />,
    params.length > 0 && <Options label="Parameters" kind="param" names={params} labels={{}} />,
    <Options label="Arithmetic" kind="" names={ARITHMETIC} labels={OPERAND_LABELS} />,
    (isUnknownParam || isUnknownPrice) && <option value={chosen}>{name || '?'} (unknown)</option>,
    kind === 'other' && <option value="other">As in the text</option>,
  );
};

/** Arguments that are rarely changed. */
const RARE: readonly string[] = ['source', 'timeframe', 'ago'];

const Arguments = ({ path }: { readonly path: Path }) => {
  const { draft, problems } = useEditor();
  const form = indicatorForm(getAt(draft, path));
  if (!form) return null;
  const rare = form.slots.filter(({ name }) => RARE.includes(name));
  const isChanged = rare.some((slot) => {
    const value = getAt(draft, [...path, slot.name]);
    return (value !== undefined && value !== slot.standard) || problems.has(pathKey([...path, slot.name]));
  });
  return (
    <>
      {form.slots
        .filter(({ name }) => !RARE.includes(name))
        .map((slot) => (
          <SlotField
            key={slot.name}
            path={[...path, slot.name]}
            slot={slot}
            label={argLabelOf(form.name, slot.name)}
            {...(slot.name === 'output' && { choiceLabels: outputLabelsOf(form.name) })}
          />
        ))}
      <details class="more" open={isChanged}>
        <summary>More</summary>
        <div class="slots">
          {rare.map((slot) => (
            <SlotField key={slot.name} path={[...path, slot.name]} slot={slot} without="Of the strategy" />
          ))}
        </div>
      </details>
    </>
  );
};

/** Value of one side of a comparison: a price, an indicator, a number, a parameter or arithmetic. */
export const OperandFields = ({ path, label }: { readonly path: Path; readonly label: string }) => {
  const { draft, problems } = useEditor();
  const value = getAt(draft, path);
  const kind = operandKindOf(value);
  const pair = ARITHMETIC.find((each) => each === kind);
  const error = kind === 'number' ? undefined : problems.get(pathKey(path));
  return (
    <div class="operand" id={kind === 'number' ? undefined : placeId(path)}>
      <div class="slots">
        <div class="slot slot-kind">
          <Field label={label} error={error}>
            <KindSelect path={path} />
          </Field>
        </div>
        {kind === 'number' && <SlotField path={path} slot={NUMBER} label="Number" />}
        {kind === 'price' && (
          <details class="more" open={getAt(draft, [...path, 'ago']) !== 0}>
            <summary>More</summary>
            <SlotField path={[...path, 'ago']} slot={AGO} />
          </details>
        )}
        {kind === 'indicator' && <Arguments path={path} />}
      </div>
      {kind === 'other' && <code class="kept">{JSON.stringify(value)}</code>}
      {pair && (
        <div class="pair">
          <OperandFields path={[...path, pair, 0]} label="a" />
          <OperandFields path={[...path, pair, 1]} label="b" />
        </div>
      )}
    </div>
  );
};
