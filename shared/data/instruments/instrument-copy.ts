import * as z from 'zod';
import { type Instrument, instrumentSchema } from '../../domain/instruments/instrument-records.ts';
import type { Key } from '../table/writes.ts';

/**
 * Builds the copy of an instrument under another key, in one attribute: an instrument has many copies, and DynamoDB
 * charges a write by its size.
 */
export const copyItem = (key: Key, instrument: Instrument) => ({
  ...key,
  entity: 'instrument_copy',
  instrument: JSON.stringify(instrument),
});

/** Schema of the copy that {@link copyItem} builds. */
export const copySchema = z.object({
  instrument: z.string().transform((text) => instrumentSchema.parse(JSON.parse(text))),
});
