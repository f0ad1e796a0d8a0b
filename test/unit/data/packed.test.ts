import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod';
import { NewerRecordError } from '../../../shared/data/table/newer-record.ts';
import { pack, packed, unpack } from '../../../shared/data/table/packed.ts';

const texts = fc.array(fc.string({ unit: 'binary', maxLength: 2_000 }), { maxLength: 30 });
const schema = z.object({ list: z.array(z.string()) });

test('a packed record is the number of its format, and raw Deflate of its JSON text', () => {
  fc.assert(
    fc.property(texts, (list) => {
      const bytes = pack({ list });
      const stored: unknown = JSON.parse(JSON.stringify({ list }));
      expect(bytes[0]).toBe(1);
      expect(JSON.parse(inflateRawSync(bytes.subarray(1)).toString())).toEqual(stored);
      expect(unpack(schema, bytes)).toEqual(stored);
    }),
    { numRuns: 50 },
  );
});

test.each([0, 2, 255])('a record of format %d waits for a newer version', (format) => {
  const bytes = Buffer.concat([Buffer.of(format), deflateRawSync('{"list":[]}')]);
  expect(() => unpack(schema, bytes)).toThrow(NewerRecordError);
  expect(() => packed(schema).safeParse(bytes)).toThrow(NewerRecordError);
});

test.each([
  ['no bytes', []],
  ['no stream', [1]],
  ['a broken stream', [1, 7, 7, 7]],
])('%s are damage of the item', (_, bytes) => {
  const { error } = z.object({ ledger: packed(schema) }).safeParse({ ledger: Uint8Array.from(bytes) });
  expect(error?.issues).toMatchObject([{ path: ['ledger'] }]);
});
