import * as z from 'zod';
import { type Instrument, instrumentSchema } from '../../domain/instruments/instrument-records.ts';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, parseReadable, placeByKey } from '../table/damaged-items.ts';
import type { Key } from '../table/writes.ts';

/**
 * Builds the copies of an instrument under other keys, each in one attribute: an instrument has many copies, and
 * DynamoDB charges a write by its size.
 */
export const copyItems = (keys: readonly Key[], instrument: Instrument) => {
  const text = JSON.stringify(instrument);
  return keys.map((key) => ({ ...key, entity: 'instrument_copy', instrument: text }));
};

/** Schema of a copy that {@link copyItems} builds. */
const copySchema = z.object({
  instrument: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'the text is damaged' });
        return z.NEVER;
      }
    })
    .pipe(instrumentSchema),
});

/**
 * Parses copies; omits those that only a newer version can read.
 *
 * @param onDamaged takes the errors of damaged ones. Without it, they are errors.
 */
export const instrumentsIn = (copies: readonly Item[], onDamaged?: OnDamaged): Instrument[] =>
  parseReadable(copySchema, copies, placeByKey, onDamaged).map(({ instrument }) => instrument);
