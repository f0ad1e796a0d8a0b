import { own } from '../../../../../shared/domain/unknown-fields.ts';
import { INDICATOR_WORDS } from '../../rules/indicator-labels.ts';
import { getAt, isRecord, type Json, type Path, pathKey, setAt } from '../../rules/json.ts';
import { CHOICE_LABELS, GROUP_LABELS, OPERAND_LABELS, TRADE_LABELS } from '../../rules/labels.ts';
import { changeIndicator, changeOperandKind, fitLevel } from '../../rules/operand-edits.ts';
import { ARITHMETIC, MOVES, operandKindOf } from '../../rules/parts.ts';
import { PRICE_NAMES } from '../../rules/schema-slots.ts';
import type { ChoiceGroup } from './chip.tsx';
import { placeId, useEditor } from './editor-context.ts';
import { SearchChip } from './search-chip.tsx';

const SIGNS = { add: '+', subtract: '−', multiply: '×', divide: '÷' } as const;

const tradeGroup: ChoiceGroup = {
  label: 'Values of the trade',
  choices: Object.entries(TRADE_LABELS).map(([name, label]) => ({ value: `trade:${name}`, label })),
};

const indicatorGroups: readonly ChoiceGroup[] = Object.entries(GROUP_LABELS).map(([group, label]) => ({
  label,
  choices: Object.entries(INDICATOR_WORDS)
    .filter(([, words]) => words.group === group)
    .map(([name, words]) => ({ value: `indicator:${name}`, label: words.label })),
}));

interface Offer {
  readonly params: readonly string[];
  readonly hasTrade: boolean;
  /** Value that is chosen and that no list has. */
  readonly unknown: string | undefined;
}

const groupsOf = ({ params, hasTrade, unknown }: Offer): ChoiceGroup[] => [
  {
    label: 'Prices of the bar',
    choices: PRICE_NAMES.map((name) => ({ value: `price:${name}`, label: CHOICE_LABELS[name] ?? name })),
  },
  ...(hasTrade ? [tradeGroup] : []),
  { label: 'Fixed', choices: [{ value: 'number', label: OPERAND_LABELS.number }] },
  ...(params.length > 0
    ? [{ label: 'Parameters', choices: params.map((name) => ({ value: `param:${name}`, label: name })) }]
    : []),
  ...indicatorGroups,
  {
    label: 'Arithmetic',
    choices: ARITHMETIC.map((each) => ({ value: each, label: OPERAND_LABELS[each] })),
  },
  ...(unknown === undefined ? [] : [{ choices: [{ value: unknown, label: 'As in the text' }] }]),
];

/** Returns the short name of an indicator. */
export const indicatorText = (value: Json | undefined): string | undefined => {
  if (!isRecord(value) || typeof value.indicator !== 'string') return undefined;
  return INDICATOR_WORDS[value.indicator]?.label.split(', ')[0];
};

const shownText = (value: Json | undefined): string => {
  const kind = operandKindOf(value);
  const sign = ARITHMETIC.find((each) => each === kind);
  if (sign) return SIGNS[sign];
  if (kind === 'number') return '#';
  if (!isRecord(value)) return '?';
  if (kind === 'indicator') return indicatorText(value) ?? String(value.indicator);
  const name = String(value[kind] ?? 'as in the text');
  if (kind === 'price') return (CHOICE_LABELS[name] ?? name).toLowerCase();
  return kind === 'trade' ? (own(TRADE_LABELS, name)?.toLowerCase() ?? name) : name;
};

/** Returns whether a value of the trade is allowed: in exits, where no value of the bar before is needed. */
const allowsTrade = (path: Path): boolean =>
  path[0] === 'exits' && !MOVES.some((move) => path.includes(move));

const changed = (draft: Json, path: Path, choice: string): Json => {
  const [to = '', of = ''] = choice.split(':');
  switch (to) {
    case 'indicator':
      return changeIndicator(changeOperandKind(draft, path, 'indicator'), path, of);
    case 'price': {
      const value = getAt(draft, path);
      return setAt(draft, path, {
        ...(operandKindOf(value) === 'price' && isRecord(value) ? value : { ago: 0 }),
        price: of,
      });
    }
    case 'param':
    case 'trade':
      return setAt(draft, path, { [to]: of });
    default:
      return changeOperandKind(draft, path, ARITHMETIC.find((each) => each === to) ?? 'number');
  }
};

interface OperandKindProps {
  readonly path: Path;
  readonly label: string;
}

/** Choice of the value of one side of a comparison. */
export const OperandKindChip = ({ path, label }: OperandKindProps) => {
  const { draft, params, edit, problems } = useEditor();
  const value = getAt(draft, path);
  const kind = operandKindOf(value);
  const name = isRecord(value) ? String(value[kind] ?? '') : '';
  const chosen = ['indicator', 'price', 'param', 'trade'].includes(kind) ? `${kind}:${name}` : kind;
  const hasTrade = allowsTrade(path);
  const isUnknown =
    kind === 'other' ||
    (kind === 'param' && !params.includes(name)) ||
    (kind === 'price' && !PRICE_NAMES.includes(name)) ||
    (kind === 'trade' && !(hasTrade && Object.hasOwn(TRADE_LABELS, name)));
  const problem = kind === 'number' ? undefined : problems.get(pathKey(path));
  const problemId = problem === undefined ? undefined : `${placeId(path)}-problem`;
  return (
    <>
      <SearchChip
        label={label}
        text={shownText(value)}
        value={chosen}
        onValue={(choice) => edit({ draft: fitLevel(changed(draft, path, choice), path), focus: path })}
        groups={groupsOf({ params, hasTrade, unknown: isUnknown ? chosen : undefined })}
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
