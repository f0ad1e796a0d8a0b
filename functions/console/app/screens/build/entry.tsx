import { getAt, isRecord, type Path, pathKey, setAt } from '../../rules/json.ts';
import { DISTANCE_LABELS, SIZE_LABELS, STOP_LABELS } from '../../rules/labels.ts';
import { distanceForm, sizeForm } from '../../rules/parts.ts';
import { DISTANCES, type Form, SIZES, SLOTS } from '../../rules/schema-slots.ts';
import { changeDistance, changeOrder, changeSize } from '../../rules/section-edits.ts';
import { STOPS } from '../../rules/stops.ts';
import { ChoiceChip } from './chip.tsx';
import { ConditionLines } from './condition.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { PartTools } from './part-tools.tsx';
import { SlotChip } from './slot-chip.tsx';

/** Value of a part that only the text can show. */
const IN_TEXT = 'in-text';
const NONE = 'none';

const choicesOf = (forms: Readonly<Record<string, Form>>, labels: Readonly<Record<string, string>>) =>
  Object.keys(forms).map((value) => ({ value, label: labels[value] ?? value }));

/** Units behind the number of a part, by its kind. */
const UNIT_TEXTS: Readonly<Record<string, string>> = {
  percent: '%',
  points: 'points',
  atr: '× ATR',
  equity_percent: '% of equity',
  risk_percent: '% of equity at risk',
  units: 'units',
  cash: 'in cash',
};

interface FormWordsProps {
  readonly path: Path;
  readonly form: Form;
  readonly name: string;
}

/** Numbers of a part. Of a multiple of ATR, the length follows the multiple. */
const FormWords = ({ path, form, name }: FormWordsProps) =>
  form.slots
    .toSorted((left, right) => Number(left.name === 'length') - Number(right.name === 'length'))
    .map((slot) => (
      <SlotChip
        key={slot.name}
        path={[...path, slot.name]}
        slot={slot}
        label={slot.name === 'length' ? `Bars of the ATR of ${name}` : name}
      />
    ));

interface KindProps {
  readonly path: Path;
  readonly label: string;
  readonly kind: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly onKind: (kind: string) => void;
  readonly text?: string | undefined;
  readonly isOffer?: boolean;
}

const KindChip = ({ path, label, kind, choices, onKind, text, isOffer = false }: KindProps) => {
  const problem = useEditor().problems.get(pathKey(path));
  const problemId = problem === undefined ? undefined : `${placeId(path)}-problem`;
  const inText = kind === IN_TEXT ? [{ value: IN_TEXT, label: 'As in the text' }] : [];
  return (
    <>
      <ChoiceChip
        label={label}
        text={text}
        value={kind}
        onValue={onKind}
        groups={[{ choices: [...inText, ...choices] }]}
        isOffer={isOffer}
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

const StopWords = ({ entry, stop }: { readonly entry: Path; readonly stop: (typeof STOPS)[number] }) => {
  const { draft, change } = useEditor();
  const path = [...entry, stop];
  const value = getAt(draft, path);
  const form = distanceForm(value);
  const name = STOP_LABELS[stop];
  const kind = value === undefined ? NONE : (form?.name ?? IN_TEXT);
  const choices = [
    { value: NONE, label: `No ${name.toLowerCase()}` },
    ...choicesOf(DISTANCES, DISTANCE_LABELS),
  ];
  return (
    <span class="chip-words" id={placeId(path)}>
      {form && (
        <>
          {name.toLowerCase()} <FormWords path={path} form={form} name={name} />
        </>
      )}
      <KindChip
        path={path}
        label={`Kind of ${name.toLowerCase()}`}
        kind={kind}
        choices={choices}
        onKind={(chosen) => change(changeDistance(draft, path, chosen === NONE ? undefined : chosen))}
        text={kind === NONE ? `+ ${name.toLowerCase()}` : UNIT_TEXTS[kind]}
        isOffer={kind === NONE}
      />
    </span>
  );
};

const SizeWords = ({ entry }: { readonly entry: Path }) => {
  const { draft, change } = useEditor();
  const path = [...entry, 'size'];
  const value = getAt(draft, path);
  const form = sizeForm(value);
  const kind = form?.name ?? (value === undefined ? NONE : IN_TEXT);
  const none = kind === NONE ? [{ value: NONE, label: '100% of equity' }] : [];
  return (
    <span class="chip-words" id={placeId(path)}>
      with {form && <FormWords path={path} form={form} name="Size of a trade" />}
      <KindChip
        path={path}
        label="Kind of size"
        kind={kind}
        choices={[...none, ...choicesOf(SIZES, SIZE_LABELS)]}
        onKind={(chosen) => change(changeSize(draft, entry, chosen))}
        text={UNIT_TEXTS[kind]}
      />
    </span>
  );
};

const ORDERS = [
  { value: 'market', label: 'at the market' },
  { value: 'limit', label: 'by a limit order' },
  { value: 'stop', label: 'by a stop order' },
] as const;

const OrderWords = ({ entry }: { readonly entry: Path }) => {
  const { draft, problems, change } = useEditor();
  const order = (['limit', 'stop'] as const).find((each) => getAt(draft, [...entry, each]) !== undefined);
  const path = [...entry, order ?? 'limit'];
  const hasWait = order !== undefined || getAt(draft, [...entry, 'valid_bars']) !== undefined;
  const shown = problems.has(pathKey([...entry, 'stop'])) ? [...entry, 'stop'] : path;
  return (
    <span class="chip-words" id={placeId([...entry, 'limit'])}>
      <span class="chip-words" id={placeId([...entry, 'stop'])}>
        <KindChip
          path={shown}
          label="Order"
          kind={order ?? 'market'}
          choices={ORDERS}
          onKind={(chosen) => {
            const next = ORDERS.find(({ value }) => value === chosen);
            if (next) change(changeOrder(draft, entry, next.value));
          }}
        />
      </span>
      {order && isRecord(getAt(draft, path)) && (
        <>
          <SlotChip
            path={[...path, 'percent']}
            slot={SLOTS.offset}
            label="Distance from the close"
            unit="%"
          />{' '}
          from the close
        </>
      )}
      {hasWait && (
        <>
          , valid for{' '}
          <SlotChip path={[...entry, 'valid_bars']} slot={SLOTS.validBars} label="Valid for bars" /> bars
        </>
      )}
    </span>
  );
};

interface PartProps {
  readonly index: number;
  readonly count: number;
}

const ENTRY_WORDS = { long: 'Buy', short: 'Sell short' };
const EXIT_WORDS = { long: 'Sell', short: 'Buy back' };

/** An entry as a sentence: side, condition, size, order, stops and target. */
export const EntrySentence = ({ index, count }: PartProps) => {
  const { problems } = useEditor();
  const path: Path = ['entries', index];
  const name = count > 1 ? `Entry ${index + 1}` : 'Entry';
  const problem = problems.get(pathKey(path));
  return (
    <section class="part part-entry" id={placeId(path)} tabIndex={-1} aria-label={name}>
      <header class="part-head">
        <h3 class="part-name">{name}</h3>
        <SlotChip path={[...path, 'side']} slot={SLOTS.side} label="Side" choiceLabels={ENTRY_WORDS} />
        <span>when</span>
        <PartTools section="entries" index={index} count={count} name={name.toLowerCase()} />
      </header>
      {problem !== undefined && <p class="field-error">{problem}</p>}
      <ConditionLines path={[...path, 'when']} label="When" />
      <div class="part-words">
        <SizeWords entry={path} />
        <OrderWords entry={path} />
        {STOPS.map((stop) => (
          <StopWords key={stop} entry={path} stop={stop} />
        ))}
      </div>
    </section>
  );
};

const PORTIONS = [
  { value: '1', label: 'the whole trade' },
  { value: '0.5', label: 'half of the trade' },
  { value: '0.25', label: 'a quarter of the trade' },
  { value: '', label: 'another part' },
];

/** Part that is neither of the common ones. */
const OTHER_PORTION = 0.3;

/** Part of a trade that an exit closes. */
const Portion = ({ path }: { readonly path: Path }) => {
  const { draft, change } = useEditor();
  const value = getAt(draft, path) ?? 1;
  const isCommon = PORTIONS.some((each) => each.value === String(value));
  if (!isCommon) {
    return (
      <span class="chip-words">
        <SlotChip path={path} slot={SLOTS.portion} label="Part to close, 1 is all" /> of the trade
      </span>
    );
  }
  return (
    <span id={placeId(path)}>
      <ChoiceChip
        label="Part to close"
        value={String(value)}
        groups={[{ choices: PORTIONS }]}
        onValue={(chosen) => change(setAt(draft, path, Number(chosen) || OTHER_PORTION))}
      />
    </span>
  );
};

/** An exit as a sentence. */
export const ExitSentence = ({ index, count }: PartProps) => {
  const { problems } = useEditor();
  const path: Path = ['exits', index];
  const name = count > 1 ? `Exit ${index + 1}` : 'Exit';
  const problem = problems.get(pathKey(path));
  return (
    <section class="part part-exit" id={placeId(path)} tabIndex={-1} aria-label={name}>
      <header class="part-head">
        <h3 class="part-name">{name}</h3>
        <SlotChip path={[...path, 'side']} slot={SLOTS.side} label="Side" choiceLabels={EXIT_WORDS} />
        <Portion path={[...path, 'portion']} />
        <span>when</span>
        <PartTools section="exits" index={index} count={count} name={name.toLowerCase()} />
      </header>
      {problem !== undefined && <p class="field-error">{problem}</p>}
      <ConditionLines path={[...path, 'when']} label="When" />
    </section>
  );
};
