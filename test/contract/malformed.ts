import type { ValidationDetail } from '../../shared/api/errors.ts';
import type { Sent } from './gateway.ts';
import { BODIES, type BodyField, routeKeyOf, type SpecOperation, type SpecParameter } from './spec.ts';

/** A request that does not fit its operation, and the entries that its answer must hold. */
export interface Malformed {
  readonly note: string;
  readonly request: Sent;
  readonly detail: readonly ValidationDetail[];
}

type Problem = Omit<ValidationDetail, 'loc'>;

/** One way to get a parameter or field wrong; no value: it is left out. */
interface Fault {
  readonly note: string;
  readonly value?: unknown;
  readonly problem: Problem;
}

const MISSING: Problem = { msg: 'field required', type: 'value_error.missing' };
const NOT_INTEGER: Problem = { msg: 'value is not a valid integer', type: 'type_error.integer' };
const NOT_BOOLEAN: Problem = { msg: 'value could not be parsed to a boolean', type: 'type_error.bool' };
const NOT_STRING: Problem = { msg: 'str type expected', type: 'type_error.str' };
const NOT_DICT: Problem = { msg: 'value is not a valid dict', type: 'type_error.dict' };
const NOT_LIST: Problem = { msg: 'value is not a valid list', type: 'type_error.list' };
const NULL: Problem = { msg: 'none is not an allowed value', type: 'type_error.none.not_allowed' };
const NOT_EMAIL: Problem = { msg: 'value is not a valid email address', type: 'value_error.email' };

const limited = (msg: string, type: string, limit_value: number): Problem => ({
  msg,
  type,
  ctx: { limit_value },
});
const below = (limit: number): Problem =>
  limited(`ensure this value is greater than or equal to ${limit}`, 'value_error.number.not_ge', limit);
const above = (limit: number): Problem =>
  limited(`ensure this value is less than or equal to ${limit}`, 'value_error.number.not_le', limit);
const tooShort = (limit: number): Problem =>
  limited(`ensure this value has at least ${limit} characters`, 'value_error.any_str.min_length', limit);
const noMatch = (pattern: string): Problem => ({
  msg: `string does not match regex "${pattern}"`,
  type: 'value_error.str.regex',
  ctx: { pattern },
});

const NO_INTEGERS = [
  'abc',
  '',
  ' ',
  '1.5',
  '7.0',
  '1e3',
  '0x10',
  'true',
  'None',
  '1,000',
  '--7',
  '1__0',
  '²',
  'null',
];
const NO_BOOLEANS = ['maybe', '', '2', 'null', ' true'];

/** Values that the operations take where they look at more than the type. */
const SAMPLES: Readonly<Record<string, string>> = {
  email: 'person@example.com',
  ph_number: '+14155552671',
  new_password: 'correct horse battery',
  mode: 'live',
  otp: '123456',
};
const SAMPLE_OF = { string: 'x', integer: '7', boolean: 'true' } as const;

const parameterFaults = ({ type, required, minimum, maximum }: SpecParameter): Fault[] => [
  ...(required ? [{ note: 'missing', problem: MISSING }] : []),
  ...(type === 'integer'
    ? NO_INTEGERS.map((value) => ({ note: `'${value}'`, value, problem: NOT_INTEGER }))
    : []),
  ...(type === 'boolean'
    ? NO_BOOLEANS.map((value) => ({ note: `'${value}'`, value, problem: NOT_BOOLEAN }))
    : []),
  ...(minimum === undefined
    ? []
    : [minimum - 1, -(10 ** 30)].map((value) => ({
        note: `${value}`,
        value: BigInt(value).toString(),
        problem: below(minimum),
      }))),
  ...(maximum === undefined
    ? []
    : [maximum + 1, 10 ** 30].map((value) => ({
        note: `${value}`,
        value: BigInt(value).toString(),
        problem: above(maximum),
      }))),
];

/** The request's query and the entries for the parameters that are wrong in it. */
const queryWith = (parameters: readonly SpecParameter[], faults: ReadonlyMap<string, Fault>) => ({
  query: parameters.flatMap(({ name, type, required }): [string, string][] => {
    const fault = faults.get(name);
    if (fault) return fault.value === undefined ? [] : [[name, String(fault.value)]];
    return required ? [[name, SAMPLES[name] ?? SAMPLE_OF[type ?? 'string']]] : [];
  }),
  detail: parameters.flatMap(({ name }): ValidationDetail[] => {
    const fault = faults.get(name);
    return fault ? [{ loc: ['query', name], ...fault.problem }] : [];
  }),
});

const jsonFaults = ({ type, required, format, minLength }: BodyField): Fault[] => [
  ...(required
    ? [
        { note: 'missing', problem: MISSING },
        { note: 'null', value: null, problem: NULL },
      ]
    : []),
  ...(type === 'string' ? [[], {}].map((value) => ({ note: 'no text', value, problem: NOT_STRING })) : []),
  ...(type === 'boolean' ? [{ note: 'no boolean', value: 'maybe', problem: NOT_BOOLEAN }] : []),
  ...(type === 'integer' ? [{ note: 'no integer', value: 'abc', problem: NOT_INTEGER }] : []),
  ...(type === 'object' ? [{ note: 'no object', value: 7, problem: NOT_DICT }] : []),
  ...(type === 'array' ? [{ note: 'no array', value: 7, problem: NOT_LIST }] : []),
  ...(format === 'email' ? [{ note: 'no e-mail', value: 'person.example.com', problem: NOT_EMAIL }] : []),
  ...(minLength
    ? [{ note: 'too short', value: 'x'.repeat(minLength - 1), problem: tooShort(minLength) }]
    : []),
];

const formFaults = ({ type, required, format, minLength, pattern }: BodyField): Fault[] => [
  ...(required
    ? [
        { note: 'missing', problem: MISSING },
        { note: 'empty', value: '', problem: MISSING },
      ]
    : []),
  ...(type === 'integer' ? [{ note: 'no integer', value: 'abc', problem: NOT_INTEGER }] : []),
  ...(format === 'email' ? [{ note: 'no e-mail', value: 'person.example.com', problem: NOT_EMAIL }] : []),
  ...(minLength
    ? [{ note: 'too short', value: 'x'.repeat(minLength - 1), problem: tooShort(minLength) }]
    : []),
  ...(pattern === undefined ? [] : [{ note: 'no match', value: 'code', problem: noMatch(pattern) }]),
];

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

/** Texts that are no JSON, with the words and the place of the fault: message, position, line, column. */
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

/** A body of one kind, and the entries for what is wrong in it. */
interface BodyCase {
  readonly note: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
  readonly detail: readonly ValidationDetail[];
  /** The stack stops at a text that is no JSON: nothing else is looked at. */
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
  const encode = (values: Readonly<Record<string, unknown>>): string =>
    new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();
  return [
    { note: 'no body', headers: {}, text: undefined, detail: nothing },
    { note: 'an empty body', headers: FORM_TYPE, text: '', detail: nothing },
    { note: 'JSON', headers: JSON_TYPE, text: JSON.stringify(filled), detail: nothing },
    { note: 'no JSON as JSON', headers: JSON_TYPE, text: '{bad', detail: nothing },
    {
      note: 'a form as text/plain',
      headers: { 'content-type': 'text/plain' },
      text: encode(filled),
      detail: nothing,
    },
    ...singleFaults(fields, formFaults).map(({ note, faults }) => {
      const { values, detail } = fieldsWith(fields, faults);
      return { note, headers: FORM_TYPE, text: encode(values), detail };
    }),
  ];
};

const bodiesOf = (operation: SpecOperation): { good: Partial<Sent>; bad: BodyCase[] } => {
  if (!operation.body) return { good: {}, bad: [] };
  const fields = BODIES[operation.body.record];
  if (!fields) throw new Error(`the fields of ${operation.body.record} are not written down`);
  const { values } = fieldsWith(fields, new Map());
  return operation.body.kind === 'json'
    ? { good: { headers: JSON_TYPE, body: JSON.stringify(values) }, bad: jsonBodies(fields) }
    : {
        good: {
          headers: FORM_TYPE,
          body: new URLSearchParams(
            Object.entries(values).map(([name, value]) => [name, String(value)]),
          ).toString(),
        },
        bad: formBodies(fields),
      };
};

/** A request that fits the operation as the contract declares it. */
export const wellFormed = (operation: SpecOperation): Sent => ({
  routeKey: routeKeyOf(operation),
  query: queryWith(operation.parameters, new Map()).query,
  ...bodiesOf(operation).good,
});

/** Every kind of request that does not fit an operation, with what must come of it. */
export const malformedRequests = (operation: SpecOperation): Malformed[] => {
  const { parameters } = operation;
  const routeKey = routeKeyOf(operation);
  const { good, bad } = bodiesOf(operation);
  const worst = new Map(
    parameters.flatMap((p) =>
      parameterFaults(p)
        .slice(-1)
        .map((fault) => [p.name, fault] as const),
    ),
  );
  const missing = new Map(
    parameters
      .filter(({ required }) => required)
      .map(({ name }) => [name, { note: 'missing', problem: MISSING }]),
  );

  const withQuery = (note: string, faults: ReadonlyMap<string, Fault>): Malformed => {
    const { query, detail } = queryWith(parameters, faults);
    return { note, request: { routeKey, query, ...good }, detail };
  };
  const single = parameters.flatMap((p) =>
    parameterFaults(p).map((fault) => withQuery(`${p.name} ${fault.note}`, new Map([[p.name, fault]]))),
  );
  const repeated = parameters
    .filter(({ type }) => type === 'integer')
    .map(({ name }) => {
      const { request, detail, note } = withQuery(
        `${name} repeated, the last one bad`,
        new Map([[name, { note: '', value: 'abc', problem: NOT_INTEGER }]]),
      );
      return {
        note,
        detail,
        request: { ...request, query: [[name, '7'] as const, ...(request.query ?? [])] },
      };
    });
  const bodies = bad.flatMap(({ note, headers, text, detail, alone }) =>
    [new Map<string, Fault>(), ...(worst.size > 0 ? [worst] : [])].map((faults): Malformed => {
      const { query, detail: inQuery } = queryWith(parameters, faults);
      return {
        note: `${note}${faults.size > 0 ? ', and every parameter bad' : ''}`,
        request: { routeKey, query, headers, body: text },
        detail: alone ? detail : [...inQuery, ...detail],
      };
    }),
  );
  return [
    ...(missing.size > 1 ? [withQuery('every required parameter missing', missing)] : []),
    ...(worst.size > 1 ? [withQuery('every parameter bad', worst)] : []),
    ...single,
    ...repeated,
    ...bodies,
  ];
};
