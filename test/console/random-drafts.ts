import fc from 'fast-check';
import {
  appendTo,
  canUnwrap,
  changeKind,
  insertAfter,
  moveCondition,
  removeCondition,
  unwrap,
  wrap,
} from '../../functions/console/app/rules/edits.ts';
import {
  getAt,
  isList,
  isRecord,
  type Json,
  type Path,
  setAt,
} from '../../functions/console/app/rules/json.ts';
import { type ConditionChoice, newCondition } from '../../functions/console/app/rules/new-conditions.ts';
import { changeIndicator, changeOperandKind } from '../../functions/console/app/rules/operand-edits.ts';
import {
  makeParam,
  paramNames,
  removeParam,
  renameParam,
} from '../../functions/console/app/rules/param-edits.ts';
import { ARITHMETIC, conditionRows } from '../../functions/console/app/rules/parts.ts';
import { placesOf } from '../../functions/console/app/rules/places.ts';
import { INDICATORS } from '../../functions/console/app/rules/schema-slots.ts';
import {
  addSection,
  changeDistance,
  changeOrder,
  changeSession,
  changeSize,
  copySection,
  moveSection,
  removeSection,
} from '../../functions/console/app/rules/section-edits.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import { randomRulesJson } from '../support/random-rules.ts';

/** Copies a value as JSON. */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));

/** Lists the places and values of everything that is no record and no list, and of what is empty. */
export const leavesOf = (value: Json, path: Path = []): [Path, Json][] => {
  if (isList(value) && value.length > 0) {
    return value.flatMap((member, index) => leavesOf(member, [...path, index]));
  }
  if (isRecord(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
  }
  return [[path, value]];
};

/** Makes some numbers parameters. */
const withParams = (rules: Json, picks: readonly number[]): Json => {
  let draft = rules;
  for (const [index, pick] of picks.entries()) {
    const numbers = leavesOf(draft).filter(
      ([path, value]) => typeof value === 'number' && path[0] !== 'params',
    );
    const [path] = numbers[pick % numbers.length] ?? [];
    if (path) draft = makeParam(draft, path, `p${index}`);
  }
  return draft;
};

/** Generates valid rules with all defaults and with parameters. */
export const randomDraft = (): fc.Arbitrary<Json> =>
  fc
    .tuple(randomRulesJson('1d'), fc.array(fc.nat(), { maxLength: 3 }))
    .map(([rules, picks]) => asJson(rulesSchema.parse(withParams(asJson(rulesSchema.parse(rules)), picks))));

const KINDS: readonly ConditionChoice[] = [
  'comparison',
  'between',
  'rising',
  'falling',
  'pattern',
  'pattern:morning_star',
  'all',
  'any',
  'not',
  'for_bars',
  'time',
  'weekday',
  'bars_in_trade',
];

/** Lists the places of the conditions of rules. */
export const conditionPaths = (draft: Json): Path[] =>
  (['entries', 'exits'] as const).flatMap((section) => {
    const members = getAt(draft, [section]);
    if (!isList(members)) return [];
    return members.flatMap((_member, index) =>
      conditionRows(draft, [section, index, 'when']).map(({ path }) => path),
    );
  });

type Step = (draft: Json, pick: <T>(from: readonly T[]) => T | undefined, value: Json) => Json;

const onCondition =
  (change: (draft: Json, path: Path, kind: ConditionChoice) => Json): Step =>
  (draft, pick) => {
    const path = pick(conditionPaths(draft));
    const kind = pick(KINDS);
    return path && kind ? change(draft, path, kind) : draft;
  };

/** Edits of the structure. They make no value wrong, but can reach limits and leave a group empty. */
const STRUCTURE: readonly Step[] = [
  onCondition((draft, path, kind) => insertAfter(draft, path, newCondition(kind)).draft),
  onCondition((draft, path, kind) => appendTo(draft, path, newCondition(kind)).draft),
  onCondition((draft, path) => removeCondition(draft, path).draft),
  onCondition((draft, path) => moveCondition(draft, path, 1).draft),
  onCondition((draft, path) => moveCondition(draft, path, -1).draft),
  onCondition((draft, path, kind) => changeKind(draft, path, kind).draft),
  onCondition((draft, path, kind) => wrap(draft, path, kind).draft),
  onCondition((draft, path) => (canUnwrap(draft, path) ? unwrap(draft, path).draft : draft)),
  (draft, pick) => addSection(draft, pick(['entries', 'exits'] as const) ?? 'exits').draft,
  (draft, pick) => copySection(draft, 'entries', pick([0, 1]) ?? 0).draft,
  (draft, pick) => moveSection(draft, 'entries', pick([0, 1]) ?? 0, pick([1, -1] as const) ?? 1).draft,
  (draft, pick) => removeSection(draft, 'exits', pick([0, 1]) ?? 0).draft,
  (draft, pick) => changeOrder(draft, ['entries', 0], pick(['market', 'limit', 'stop'] as const) ?? 'market'),
  (draft, pick) =>
    changeDistance(draft, ['entries', 0, 'take_profit'], pick(['percent', 'points', 'atr', undefined])),
  (draft, pick) => changeSession(draft, 'square_off', pick(['15:55', undefined])),
  (draft, pick) => renameParam(draft, pick(paramNames(draft)) ?? '', 'renamed'),
  (draft, pick) => {
    const operand = pick(
      [...placesOf(draft)].filter(({ path }) => ['left', 'right'].includes(String(path.at(-1)))),
    );
    const kind = pick(['number', 'price', 'indicator', ...ARITHMETIC] as const);
    return operand && kind ? changeOperandKind(draft, operand.path, kind) : draft;
  },
  (draft, pick) => {
    const place = pick([...placesOf(draft)].filter(({ path }) => path.at(-1) === 'indicator'));
    const name = pick(Object.keys(INDICATORS));
    return place && name ? changeIndicator(draft, place.path.slice(0, -1), name) : draft;
  },
];

/** Edits of values, with anything that a user may type. */
const VALUES: readonly Step[] = [
  (draft, pick, value) => {
    const place = pick([...placesOf(draft)].filter(({ isWhole }) => isWhole));
    return place ? setAt(draft, place.path, value) : draft;
  },
  (draft, pick) =>
    changeSize(draft, ['entries', 0], pick(['equity_percent', 'units', 'cash', 'risk_percent']) ?? 'units'),
  (draft) => removeSection(draft, 'entries', 0).draft,
  (draft, pick) => removeParam(draft, pick(paramNames(draft)) ?? ''),
  (draft, pick) => {
    const place = pick([...placesOf(draft)].filter(({ path }) => typeof getAt(draft, path) === 'number'));
    return place ? makeParam(draft, place.path, 'made') : draft;
  },
];

interface Choice {
  readonly step: number;
  readonly picks: readonly number[];
  readonly value: Json;
}

/** Generates a number of edits. Apply them with {@link applyEdits}. */
export const randomEdits = (maxLength: number): fc.Arbitrary<Choice[]> =>
  fc.array(
    fc.record({
      step: fc.nat(),
      picks: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
      value: fc.oneof(
        fc.constantFrom<Json>('', 'abc', '1e', -1, 0, 0.5, 7, 1e300, '25:00', 'fri', null, { param: 'p0' }),
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
    }),
    { maxLength },
  );

/** Applies one edit. */
export const applyEdit = (draft: Json, choice: Choice, kinds: 'structure' | 'all'): Json => {
  const steps = kinds === 'all' ? [...STRUCTURE, ...VALUES] : STRUCTURE;
  let next = 0;
  const pick = <T>(from: readonly T[]): T | undefined =>
    from[(choice.picks[next++ % choice.picks.length] ?? 0) % from.length];
  const step = steps[choice.step % steps.length];
  return step ? step(draft, pick, choice.value) : draft;
};
