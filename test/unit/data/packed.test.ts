import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import * as z from 'zod';
import { pack, packParts, unpack } from '../../../shared/data/table/packed.ts';

const read = (bytes: Uint8Array): unknown => JSON.parse(inflateRawSync(bytes).toString());
const texts = fc.array(fc.string({ unit: 'binary', maxLength: 2_000 }), { maxLength: 30 });

test('a packed record is raw Deflate of the record', () => {
  fc.assert(
    fc.property(texts, (list) => {
      const stored: unknown = JSON.parse(JSON.stringify({ list }));
      expect(read(pack({ list }))).toEqual(stored);
    }),
    { numRuns: 50 },
  );
});

test('a record without compression, as earlier versions stored short messages, can be read', () => {
  const schema = z.object({ text: z.string() });
  const stored = deflateRawSync(JSON.stringify({ text: 'ü' }), { level: 0 });
  // The first byte marks a stored block.
  expect(stored[0]).toBe(1);
  expect(unpack(schema, stored)).toEqual({ text: 'ü' });
});

test('a record with parts is packed alike, the first time and again', () => {
  const entries = fc.array(fc.tuple(fc.string(), fc.integer()), { maxLength: 20 });
  fc.assert(
    fc.property(entries, fc.record({ name: fc.string(), deep: fc.array(fc.nat()) }), (list, rest) => {
      for (let time = 0; time < 2; time++) {
        expect(read(packParts(rest, { list }))).toEqual({ ...rest, list });
        expect(read(packParts({}, { list }))).toEqual({ list });
      }
    }),
    { numRuns: 50 },
  );
});

test('a list that goes on from one packed before is packed like a new one', () => {
  const steps = fc.array(fc.record({ gone: fc.nat(3), at: fc.nat(5), text: fc.string() }), { maxLength: 30 });
  fc.assert(
    fc.property(steps, (changes) => {
      let list: [string][] = [];
      for (const { gone, at, text } of changes) {
        // Most elements are added at the end, as those of a ledger.
        list = at === 0 ? [[text], ...list] : [...list.slice(gone), [text]];
        expect(read(packParts({}, { list }))).toEqual({ list });
        expect(read(packParts({}, { list: [...list] }))).toEqual({ list });
      }
    }),
    { numRuns: 30 },
  );
});

test('a list that was packed cannot change', () => {
  const list = [['a'], ['b']];
  packParts({}, { list });
  expect(() => list.push(['c'])).toThrow(TypeError);
});
