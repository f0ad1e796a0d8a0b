import { createHash } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod';
import { FIELD_ORDERS } from '../../../shared/data/table/field-orders.ts';
import { type FieldOrder, recordOf, valuesOf } from '../../../shared/data/table/listed-values.ts';
import { NewerRecordError } from '../../../shared/data/table/newer-record.ts';
import {
  hasDictionary,
  isListed,
  pack,
  packed,
  packParts,
  unpack,
  unpackJson,
} from '../../../shared/data/table/packed.ts';
import { writeForm } from '../../../shared/data/table/stored-form.ts';

afterEach(() => writeForm('listed'));

const KINDS = ['ledger', 'order', 'summary', 'progress', 'trade'] as const;

/** Returns everything of an order that stored values depend on. */
const shapeOf = ({ names, inner }: FieldOrder): unknown =>
  names.map((name, index) => {
    const within = inner[index];
    return within ? [name, within.kind, shapeOf(within.order)] : name;
  });

test('the orders are those with which stored records were written', () => {
  const digests = Object.entries(FIELD_ORDERS).map(([kind, { id, order }]) => [
    id,
    kind,
    createHash('sha256')
      .update(JSON.stringify(shapeOf(order)))
      .digest('hex'),
  ]);
  // With another order, stored records cannot be read: add an order with a new number instead.
  expect(digests).toEqual([
    [1, 'ledger', 'bf3767ce7249637ba5ecb97c4abd3537d8e36b9ec82087611acb92270c16bdf8'],
    [2, 'order', 'ac5a4215af2a42beedb626be278fc8a5ced69f60b1a6e9c8cd0227d7a861c15f'],
    [3, 'summary', '4810c92300d319a577a15ea5d0c847fe64d1fddcdcdfe9048d4fed1be1a8ca61'],
    [4, 'progress', '40e5e34fe3daceb5523fe45de832ff7b2425df8b900c7895441d1ef7d31c3410'],
    [5, 'trade', '351a5408dff42ffe3116ca8e76170d91218eda8e28c11ca3333c64e63f28fb39'],
  ]);
  expect(Object.keys(FIELD_ORDERS)).toEqual(KINDS);
});

const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const OTHER_NAMES = ['from_next', '__proto__', 'constructor', 'toString', '0', ''];

/** Generates records with fields of an order and others, with values that fit their place and values that do not. */
const recordsOf = ({ names, inner }: FieldOrder): fc.Arbitrary<Record<string, unknown>> => {
  const fields = names.map((name, index): [string, fc.Arbitrary<unknown>] => {
    const within = inner[index];
    if (!within) return [name, fc.jsonValue({ maxDepth: 2 })];
    const record = recordsOf(within.order);
    const fitting = {
      record: record,
      list: fc.array(record, { maxLength: 2 }),
      map: fc.dictionary(fc.constantFrom('AAPL', ...OTHER_NAMES), record, { maxKeys: 2 }),
    };
    return [name, fc.oneof({ arbitrary: fitting[within.kind], weight: 4 }, fc.jsonValue({ maxDepth: 2 }))];
  });
  const others = fc.dictionary(fc.constantFrom(...OTHER_NAMES), fc.jsonValue({ maxDepth: 1 }), {
    maxKeys: 2,
  });
  return fc
    .tuple(fc.record(Object.fromEntries(fields), { requiredKeys: [] }), others)
    .map(([known, more]) => ({ ...known, ...more }));
};

test.each(KINDS)('any record of the kind %s is read as it was stored', (kind) => {
  fc.assert(
    fc.property(recordsOf(FIELD_ORDERS[kind].order), (record) => {
      const bytes = pack(record, kind);
      expect(isListed(bytes)).toBe(true);
      expect(unpackJson(bytes)).toEqual(asStored(record));
    }),
    { numRuns: 60 },
  );
});

test('a ledger is read as it was stored, from one of its parts to the next, in any form', () => {
  const { order } = FIELD_ORDERS.ledger;
  const parts = fc.record({
    recent: fc.array(fc.tuple(fc.constant('fill'), fc.nat(), fc.string()), { minLength: 1, maxLength: 5 }),
    base: recordsOf(order.inner.at(-1)?.order ?? order),
  });
  const forms = fc.array(fc.constantFrom('listed', 'compact', 'packed'), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      recordsOf(order),
      parts,
      forms,
      ({ recent: _, base: __, ...front }, { recent, base }, turns) => {
        let list = recent;
        for (const form of turns) {
          writeForm(form);
          const bytes = packParts(front, { recent: list, base }, 'ledger');
          expect([isListed(bytes), hasDictionary(bytes)]).toEqual([form === 'listed', form === 'compact']);
          expect(unpackJson(bytes)).toEqual(asStored({ ...front, recent: list, base }));
          list = [...list.slice(1), ['fill', list.length, form]];
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('values that are short are plain text, and others are compressed', () => {
  const short = Buffer.from(pack({ symbol: 'AAPL', status: 'open' }, 'order'));
  expect(short.subarray(1).toString()).toMatch(/^\[\[0,1,.*\],"AAPL","open"\]$/);
  const long = pack({ symbol: 'AAPL', status_message: 'rejected '.repeat(100) }, 'order');
  expect(long.length).toBeLessThan(200);
  expect(unpackJson(long)).toEqual({ symbol: 'AAPL', status_message: 'rejected '.repeat(100) });
});

test('bounds of the text count its bytes', () => {
  const text = '€'.repeat(300);
  expect(unpackJson(pack({ status_message: text }, 'order'))).toEqual({ status_message: text });
});

test('values of an order of a newer version are left to that version', () => {
  const bytes = Buffer.from(pack({ symbol: 'AAPL' }, 'order'));
  bytes[0] = 31 * 8 + 7;
  expect(() => unpackJson(bytes)).toThrow(NewerRecordError);
  expect(() => unpack(z.object({ symbol: z.string() }), bytes)).toThrow(NewerRecordError);
});

test('values that do not fit their order are damage, and never another record', () => {
  const { order } = FIELD_ORDERS.progress;
  const values = valuesOf(order, { phase: 'entered', orders_count: 1, latest_order: { order_id: 1 } });
  const broken: unknown[] = [
    null,
    {},
    [],
    [0],
    [0, 1],
    values.slice(0, -1),
    [...values, 1],
    [[9], ...values.slice(1)],
    [{ absent: [] }, ...values.slice(1)],
    [1, ...values.slice(1)],
    values.with(3, [0, 1]),
  ];
  for (const each of broken) expect(() => recordOf(order, each)).toThrow('do not fit');
  const cut = pack({ symbol: 'AAPL', status: 'open' }, 'order').subarray(0, 12);
  const { error } = z.object({ order: packed(z.object({ symbol: z.string() })) }).safeParse({ order: cut });
  expect(error?.issues).toMatchObject([{ path: ['order'], message: expect.stringContaining('damaged') }]);
});
