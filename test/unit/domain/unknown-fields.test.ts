import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { deepStoredForm, keepUnknown, storedForm } from '../../../shared/domain/unknown-fields.ts';

const schema = z.object({
  name: z.string(),
  status: z.enum(['on', 'off']).or(z.string().transform(() => 'off' as const)),
  reason: z
    .enum(['user'])
    .nullable()
    .or(z.string().transform(() => null)),
  channels: z.array(z.string()).transform((all) => all.filter((one) => one !== 'pager')),
  books: z.record(z.string(), z.object({ total: z.number(), inner: z.object({ n: z.number() }) })),
  steps: z.array(z.object({ at: z.number() })),
});

const STORED = {
  name: 'a',
  status: 'half',
  reason: 'whim',
  channels: ['push', 'pager'],
  books: { constructor: { total: 1, inner: { n: 1, more: [1] }, extra: 'x' } },
  steps: [{ at: 1 }, { at: 2, by: 'b' }],
  added: { deep: true },
};

const read = (stored: unknown = STORED) => {
  const parsed = schema.parse(stored);
  keepUnknown(stored, parsed);
  return parsed;
};

describe('a field of a newer version', () => {
  test('is not a field of the parsed record', () => {
    expect(JSON.parse(JSON.stringify(read()))).toEqual(schema.parse(STORED));
    expect(Object.keys(read())).not.toContain('added');
    expect(z.object({ name: z.string() }).parse(read())).toEqual({ name: 'a' });
  });

  test('is stored again with the record and with spread copies of it', () => {
    expect(deepStoredForm(read())).toEqual(STORED);
    expect(deepStoredForm({ ...read(), name: 'b' })).toEqual({ ...STORED, name: 'b' });
  });

  test('is replaced by a value that this version sets', () => {
    expect(deepStoredForm({ ...read(), status: 'on', reason: 'user' })).toEqual({
      ...STORED,
      status: 'on',
      reason: 'user',
    });
    expect(deepStoredForm({ ...read(), channels: [] })).toEqual({ ...STORED, channels: [] });
  });

  test('stays at its own depth', () => {
    const { steps, ...record } = read();
    expect(deepStoredForm({ ...record, steps: steps.toReversed() })).toEqual({
      ...STORED,
      steps: STORED.steps.toReversed(),
    });
    expect(storedForm(steps[1] ?? {})).toEqual({ at: 2, by: 'b' });
  });
});

describe('a record without unknown fields', () => {
  test('is stored as it is, without a copy', () => {
    const { added: _, ...rest } = STORED;
    const known = { ...rest, status: 'on', reason: 'user', channels: [], books: {}, steps: [{ at: 1 }] };
    const parsed = read(known);
    expect(deepStoredForm(parsed)).toBe(parsed);
  });

  test('omits the excepted names', () => {
    const parsed = z.object({ a: z.number() }).parse({ a: 1 });
    keepUnknown({ a: 1, pk: 'p', b: 2 }, parsed, new Set(['pk']));
    expect(storedForm(parsed)).toEqual({ a: 1, b: 2 });
  });
});
