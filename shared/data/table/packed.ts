import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { deepStoredForm, keepUnknown } from '../../domain/unknown-fields.ts';
import { misfit, NewerRecordError } from './newer-record.ts';

/*
 * Records that are a long series by nature: ledgers, equity histories, states of programs, results of backtests. They are
 * JSON text in a raw deflate stream. The byte before it is the number of this format.
 */

const FORMAT = 1;

/** Packs a record into one binary value, with the attributes that a newer version stored. */
export const pack = (record: object): Uint8Array<ArrayBuffer> =>
  Buffer.concat([Buffer.of(FORMAT), deflateRawSync(JSON.stringify(deepStoredForm(record)))]);

/** Returns a packed record unparsed. @throws NewerRecordError for another format @throws Error for damaged bytes */
export const unpackJson = (bytes: Uint8Array): unknown => {
  const [format] = bytes;
  if (format !== undefined && format !== FORMAT) {
    throw new NewerRecordError(new RangeError(`packed records have no format ${format}`));
  }
  return JSON.parse(inflateRawSync(bytes.subarray(1)).toString());
};

/**
 * Parses a packed record. Keeps the attributes that this version does not know.
 *
 * @throws NewerRecordError if only a newer version can read the record.
 */
export const unpack = <S extends z.ZodType>(schema: S, bytes: Uint8Array): z.output<S> => {
  const stored = unpackJson(bytes);
  const { success, data, error } = schema.safeParse(stored);
  if (!success) throw misfit(error);
  keepUnknown(stored, data);
  return data;
};

const DAMAGED = 'the bytes are damaged, or of a newer version';

/** Returns whether an error says all about a packed record. */
const isOfRecord = (error: unknown): boolean =>
  error instanceof NewerRecordError || error instanceof z.ZodError;

/** Schema of a binary attribute. Bytes that cannot be unpacked are an issue of the item, as other damage is. */
export const unpackedBy = <T>(unpackBytes: (bytes: Uint8Array) => T) =>
  z.instanceof(Uint8Array).transform((bytes, context): T => {
    try {
      return unpackBytes(bytes);
    } catch (error) {
      if (isOfRecord(error)) throw error;
      context.addIssue({ code: 'custom', message: DAMAGED });
      return z.NEVER;
    }
  });

/**
 * Reads an attribute that no schema unpacks.
 *
 * @throws ZodError if it cannot be unpacked, as for other damage of its item.
 */
export const unpackedAt = <T>(attribute: string, unpackBytes: () => T): T => {
  try {
    return unpackBytes();
  } catch (error) {
    if (isOfRecord(error)) throw error;
    throw new z.ZodRealError([{ code: 'custom', path: [attribute], message: DAMAGED, input: undefined }]);
  }
};

/** Schema of an attribute that holds a packed record. */
export const packed = <S extends z.ZodType>(schema: S) => unpackedBy((bytes) => unpack(schema, bytes));
