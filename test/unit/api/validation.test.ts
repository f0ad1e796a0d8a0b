import * as z from 'zod';
import { integer, timestamp } from '../../../shared/api/fields.ts';
import { toValidationDetails } from '../../../shared/api/validation.ts';
import type { ValidationDetail } from '../../../shared/api/validation-detail.ts';

const detailsOf = (shape: z.ZodRawShape, parts: unknown): ValidationDetail[] => {
  const result = z.object(shape).safeParse(parts);
  return result.success ? [] : toValidationDetails(parts, result.error);
};

/** Returns the entry for one query parameter. */
const detailOf = (field: z.ZodType, value: unknown): Omit<ValidationDetail, 'loc'> | undefined => {
  const [detail] = detailsOf({ query: z.object({ field }) }, { query: { field: value } });
  if (!detail) return undefined;
  const { loc, ...rest } = detail;
  expect(loc).toEqual(['query', 'field']);
  return rest;
};

describe('an entry of a 422 body', () => {
  const none = { msg: 'none is not an allowed value', type: 'type_error.none.not_allowed' };
  const missing = { msg: 'field required', type: 'value_error.missing' };
  const notInteger = { msg: 'value is not a valid integer', type: 'type_error.integer' };
  const limited = (msg: string, type: string, limit_value: number) => ({ msg, type, ctx: { limit_value } });

  test.each([
    ['a missing value', z.string(), undefined, missing],
    ['null', z.string(), null, none],
    ['null for an integer', integer(), null, none],
    ['a number for a string', z.string(), 5, { msg: 'str type expected', type: 'type_error.str' }],
    ['a text for an integer', integer(), 'abc', notInteger],
    ['infinity for an integer', integer(), Number.POSITIVE_INFINITY, notInteger],
    ['NaN for an integer', integer(), Number.NaN, notInteger],
    [
      'a text for a boolean',
      z.boolean(),
      'x',
      { msg: 'value could not be parsed to a boolean', type: 'type_error.bool' },
    ],
    [
      'a text for an object',
      z.object({}),
      'x',
      { msg: 'value is not a valid dict', type: 'type_error.dict' },
    ],
    [
      'an array for an object',
      z.object({}),
      [1],
      { msg: 'value is not a valid dict', type: 'type_error.dict' },
    ],
    [
      'a text for a record',
      z.record(z.string(), z.string()),
      'x',
      { msg: 'value is not a valid dict', type: 'type_error.dict' },
    ],
    [
      'an object for an array',
      z.array(z.string()),
      {},
      { msg: 'value is not a valid list', type: 'type_error.list' },
    ],
    [
      'too small an integer',
      integer({ min: 1 }),
      0,
      limited('ensure this value is greater than or equal to 1', 'value_error.number.not_ge', 1),
    ],
    [
      'too large an integer',
      integer({ max: 100 }),
      101,
      limited('ensure this value is less than or equal to 100', 'value_error.number.not_le', 100),
    ],
    [
      'a number at an open lower bound',
      z.number().gt(0),
      0,
      limited('ensure this value is greater than 0', 'value_error.number.not_gt', 0),
    ],
    [
      'a number at an open upper bound',
      z.number().lt(5),
      5,
      limited('ensure this value is less than 5', 'value_error.number.not_lt', 5),
    ],
    [
      'too short a string',
      z.string().min(8),
      'x',
      limited('ensure this value has at least 8 characters', 'value_error.any_str.min_length', 8),
    ],
    [
      'too long a string',
      z.string().max(2),
      'xyz',
      limited('ensure this value has at most 2 characters', 'value_error.any_str.max_length', 2),
    ],
    [
      'too short an array',
      z.array(z.string()).min(1),
      [],
      limited('ensure this value has at least 1 items', 'value_error.list.min_items', 1),
    ],
    [
      'too long an array',
      z.array(z.string()).max(1),
      ['a', 'b'],
      limited('ensure this value has at most 1 items', 'value_error.list.max_items', 1),
    ],
    [
      'an invalid e-mail address',
      z.email(),
      'x',
      { msg: 'value is not a valid email address', type: 'value_error.email' },
    ],
    ['no address', z.url(), 'x', { msg: 'invalid or missing URL scheme', type: 'value_error.url.scheme' }],
    ['no moment', timestamp(), 'x', { msg: 'invalid datetime format', type: 'value_error.datetime' }],
    [
      'no match',
      z.string().regex(/password/),
      'code',
      {
        msg: 'string does not match regex "password"',
        type: 'value_error.str.regex',
        ctx: { pattern: 'password' },
      },
    ],
    [
      'a mismatch of an anchored pattern with flags',
      z.string().regex(/^\/a$/iu),
      'code',
      {
        msg: 'string does not match regex "^\\/a$"',
        type: 'value_error.str.regex',
        ctx: { pattern: '^\\/a$' },
      },
    ],
    [
      'no member',
      z.enum(['live', 'virtual']),
      'paper',
      {
        msg: "value is not a valid enumeration member; permitted: 'live', 'virtual'",
        type: 'type_error.enum',
        ctx: { enum_values: ['live', 'virtual'] },
      },
    ],
    ['a missing member', z.enum(['live', 'virtual']), undefined, missing],
    ['null for a member', z.enum(['live', 'virtual']), null, none],
    ['a missing alternative', z.union([z.string(), z.boolean()]), undefined, missing],
    ['null for an alternative', z.discriminatedUnion('a', [z.object({ a: z.literal(1) })]), null, none],
    [
      'a value refused by a custom check',
      z
        .string()
        .refine(() => false, { error: 'no such timeframe', params: { type: 'value_error.timeframe' } }),
      'x',
      { msg: 'no such timeframe', type: 'value_error.timeframe' },
    ],
    [
      'a value refused by an unnamed check',
      z.string().refine(() => false, { error: 'no such symbol' }),
      'x',
      { msg: 'no such symbol', type: 'value_error' },
    ],
  ])('describes %s', (_name, field, value, expected) => {
    expect(detailOf(field, value)).toEqual(expected);
  });
});

describe('the entries of a 422 body', () => {
  const query = z.object({
    a: z.string(),
    page: integer({ min: 1 }).default(1),
    size: integer({ max: 100 }).default(50),
  });
  const json = z.object({ email: z.email(), events: z.array(z.object({ name: z.string() })).min(1) });

  test('are reported together, in the order of declaration', () => {
    const details = detailsOf(
      { query, json },
      { query: { page: 0, size: 101 }, json: { events: [{ name: 1 }, {}] } },
    );
    expect(details.map(({ loc }) => loc)).toEqual([
      ['query', 'a'],
      ['query', 'page'],
      ['query', 'size'],
      ['body', 'email'],
      ['body', 'events', 0, 'name'],
      ['body', 'events', 1, 'name'],
    ]);
  });

  test.each([undefined, null])('report a body of %p as missing', (body) => {
    expect(detailsOf({ json }, { json: body })).toEqual([
      { loc: ['body'], msg: 'field required', type: 'value_error.missing' },
    ]);
  });

  test('locate form fields in the body and path parameters in the path', () => {
    const form = z.object({ username: z.string() });
    const params = z.object({ id: z.string() });
    expect(detailsOf({ params, form }, { params: {}, form: {} }).map(({ loc }) => loc)).toEqual([
      ['path', 'id'],
      ['body', 'username'],
    ]);
  });

  test('name each field that is not permitted', () => {
    expect(detailsOf({ json: z.strictObject({ a: z.string() }) }, { json: { a: '', b: 1, c: 2 } })).toEqual([
      { loc: ['body', 'b'], msg: 'extra fields not permitted', type: 'value_error.extra' },
      { loc: ['body', 'c'], msg: 'extra fields not permitted', type: 'value_error.extra' },
    ]);
  });

  test('report only the first problem of each value', () => {
    const fields = z.object({ a: z.string().min(8), b: z.email().max(5), c: z.array(z.string()).min(9) });
    const details = detailsOf({ json: fields }, { json: { a: [], b: 'no e-mail', c: 'text' } });
    expect(details.map(({ loc, type }) => [loc.at(-1), type])).toEqual([
      ['a', 'type_error.str'],
      ['b', 'value_error.email'],
      ['c', 'type_error.list'],
    ]);
  });

  test('never contain a value of the request', () => {
    const secret = 'hunter2hunter2';
    const fields = {
      a: z.email(),
      b: z.enum(['x']),
      c: z.url(),
      d: integer(),
      e: z.string().max(3),
      f: z.literal('x'),
      g: z.union([z.boolean(), z.number()]),
      h: z.string().regex(/^x/),
    };
    const details = detailsOf(
      { json: z.strictObject(fields) },
      { json: Object.fromEntries('abcdefgh'.split('').map((name) => [name, secret])) },
    );
    expect(details).toHaveLength(8);
    expect(JSON.stringify(details)).not.toContain(secret);
  });
});
