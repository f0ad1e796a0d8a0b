import type { ValidationDetail } from '../../shared/api/validation-detail.ts';
import type { BodyField, SpecParameter } from './spec.ts';

export type Problem = Omit<ValidationDetail, 'loc'>;

/** One kind of wrong parameter or field. Without a value it is omitted. */
export interface Fault {
  readonly note: string;
  readonly value?: unknown;
  readonly problem: Problem;
}

export const MISSING: Problem = { msg: 'field required', type: 'value_error.missing' };
export const NOT_INTEGER: Problem = { msg: 'value is not a valid integer', type: 'type_error.integer' };
const NOT_BOOLEAN: Problem = { msg: 'value could not be parsed to a boolean', type: 'type_error.bool' };
const NOT_STRING: Problem = { msg: 'str type expected', type: 'type_error.str' };
export const NOT_DICT: Problem = { msg: 'value is not a valid dict', type: 'type_error.dict' };
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

export const parameterFaults = ({ type, required, minimum, maximum }: SpecParameter): Fault[] => [
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

export const jsonFaults = ({ type, required, format, minLength }: BodyField): Fault[] => [
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

export const formFaults = ({ type, required, format, minLength, pattern }: BodyField): Fault[] => [
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
