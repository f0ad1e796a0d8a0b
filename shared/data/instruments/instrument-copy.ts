import * as z from 'zod';
import { type Instrument, instrumentSchema } from '../../domain/instruments/instrument-records.ts';
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
export const copySchema = z.object({
  instrument: z.string().transform((text) => instrumentSchema.parse(JSON.parse(text))),
});
