import type { ValidationDetail } from '../../shared/api/validation-detail.ts';
import { type Fault, formFaults, jsonFaults, MISSING, NOT_DICT, type Problem } from './faults.ts';
import { encodeForm, type Sent } from './gateway.ts';
import { BODIES, type BodyField, type SpecOperation } from './spec.ts';

const fieldsWith = (fields: readonly BodyField[], faults: ReadonlyMap<string, Fault>) => ({
  values: Object.fromEntries(
    fields.flatMap(({ name, required, example }): [string, unknown][] => {
      const fault = faults.get(name);
      if (fault) return fault.value === undefined ? [] : [[name, fault.value]];
      return required ? [[name, example]] : [];
    }),
  ),
  detail: fields.flatMap(({ name }): ValidationDetail[] => {
    const fault = faults.get(name);
    return fault ? [{ loc: ['body', name], ...fault.problem }] : [];
  }),
});

/** Invalid JSON texts with their errors: message, position, line, column. */
const NO_JSON: readonly (readonly [text: string, msg: string, pos: number, lineno: number, colno: number])[] =
  [
    ['{bad', 'Expecting property name enclosed in double quotes', 1, 1, 2],
    ['{"password": "hunter2hunter2",}', 'Expecting property name enclosed in double quotes', 30, 1, 31],
    ['{"password" "hunter2hunter2"}', "Expecting ':' delimiter", 12, 1, 13],
    ['{"password": "hunter2hunter2"', "Expecting ',' delimiter", 29, 1, 30],
    ['{\n  "email": "é😀",\n  "password":\n}', 'Expecting value', 33, 4, 1],
    ['{"password": "hunter2hunter2', 'Unterminated string starting at', 13, 1, 14],
    ['{"password": "hunter2\nhunter2"}', 'Invalid control character at', 21, 1, 22],
    ['{"password": "\\x"}', 'Invalid \\escape', 14, 1, 15],
    ['{} {}', 'Extra data', 3, 1, 4],
    ['hunter2hunter2', 'Expecting value', 0, 1, 1],
    ['email=a%40b.c', 'Expecting value', 0, 1, 1],
    [' ', 'Expecting value', 1, 1, 2],
  ];

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const body = (problem: Problem): ValidationDetail[] => [{ loc: ['body'], ...problem }];

/** A body of one kind, and the entries for its errors. */
export interface BodyCase {
  readonly note: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
  readonly detail: readonly ValidationDetail[];
  /** Invalid JSON is the only reported error, as nothing else is checked then. */
  readonly alone?: boolean;
}

const singleFaults = (fields: readonly BodyField[], faultsOf: (field: BodyField) => Fault[]) =>
  fields.flatMap((field) =>
    faultsOf(field).map((fault) => ({
      note: `${field.name} ${fault.note}`,
      faults: new Map([[field.name, fault]]),
    })),
  );

const allMissing = (fields: readonly BodyField[]): Map<string, Fault> =>
  new Map(
    fields
      .filter(({ required }) => required)
      .map(({ name }) => [name, { note: 'missing', problem: MISSING }]),
  );

const jsonBodies = (fields: readonly BodyField[]): BodyCase[] => [
  { note: 'no body', headers: {}, text: undefined, detail: body(MISSING) },
  { note: 'an empty body', headers: JSON_TYPE, text: '', detail: body(MISSING) },
  { note: 'null', headers: JSON_TYPE, text: 'null', detail: body(MISSING) },
  ...['[1]', '7', 'true', '"text"'].map((text) => ({
    note: text,
    headers: JSON_TYPE,
    text,
    detail: body(NOT_DICT),
  })),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'application/jsonp',
    'nonsense',
  ].map((type) => ({
    note: `an object as ${type}`,
    headers: { 'content-type': type },
    text: '{}',
    detail: body(NOT_DICT),
  })),
  ...NO_JSON.flatMap(([text, msg, pos, lineno, colno]) =>
    ['application/json', 'application/json; charset=utf-8', 'application/problem+json'].map((type) => ({
      note: `${text} as ${type}`,
      headers: { 'content-type': type },
      text,
      detail: [
        {
          loc: ['body', pos],
          msg: `${msg}: line ${lineno} column ${colno} (char ${pos})`,
          type: 'value_error.jsondecode',
          ctx: { msg, pos, lineno, colno },
        },
      ],
      alone: true,
    })),
  ),
  ...[{ note: 'an empty object', faults: allMissing(fields) }, ...singleFaults(fields, jsonFaults)].map(
    ({ note, faults }) => {
      const { values, detail } = fieldsWith(fields, faults);
      return { note, headers: JSON_TYPE, text: JSON.stringify(values), detail };
    },
  ),
];

const formBodies = (fields: readonly BodyField[]): BodyCase[] => {
  const nothing = fieldsWith(fields, allMissing(fields)).detail;
  const filled = fieldsWith(fields, new Map()).values;
  return [
    { note: 'no body', headers: {}, text: undefined, detail: nothing },
    { note: 'an empty body', headers: FORM_TYPE, text: '', detail: nothing },
    { note: 'JSON', headers: JSON_TYPE, text: JSON.stringify(filled), detail: nothing },
    { note: 'no JSON as JSON', headers: JSON_TYPE, text: '{bad', detail: nothing },
    {
      note: 'a form as text/plain',
      headers: { 'content-type': 'text/plain' },
      text: encodeForm(filled),
      detail: nothing,
    },
    ...singleFaults(fields, formFaults).map(({ note, faults }) => {
      const { values, detail } = fieldsWith(fields, faults);
      return { note, headers: FORM_TYPE, text: encodeForm(values), detail };
    }),
  ];
};

/** Returns a valid body of an operation, if it has one, and every kind of invalid body. */
export const bodiesOf = (operation: SpecOperation): { good: Partial<Sent>; bad: BodyCase[] } => {
  if (!operation.body) return { good: {}, bad: [] };
  const fields = BODIES[operation.body.record];
  if (!fields) throw new Error(`the fields of ${operation.body.record} are not written down`);
  const { values } = fieldsWith(fields, new Map());
  return operation.body.kind === 'json'
    ? { good: { headers: JSON_TYPE, body: JSON.stringify(values) }, bad: jsonBodies(fields) }
    : {
        good: {
          headers: FORM_TYPE,
          body: encodeForm(values),
        },
        bad: formBodies(fields),
      };
};
