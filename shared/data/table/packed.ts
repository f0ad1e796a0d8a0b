import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { keepUnknown } from '../../domain/unknown-fields.ts';
import { DICTIONARIES, type DictionaryName } from './dictionaries.ts';
import { FIELD_ORDERS, type NumberedOrder } from './field-orders.ts';
import { recordOf } from './listed-values.ts';
import { misfit, NewerRecordError } from './newer-record.ts';
import { jsonText, listedText, namedText, type Parts, valuesText } from './record-texts.ts';
import { hasDictionaries, listsValues } from './stored-form.ts';

/** A longer text gets the largest window, which finds repetitions further back but takes 260 KB of memory per call. */
const SHORT_TEXT = 16_384;

/**
 * Settings of the compression. The window of 8 KB holds most ledgers. A full one takes 1,750 bytes and a fifth less time than
 * with 4 KB; a higher level gains little, and one with a larger window takes more memory.
 */
const SHORT = { level: 3, windowBits: 13, memLevel: 6, chunkSize: 4096 };
const LONG = { level: 6 };

/** Most bytes that are stored as they are: an item with them costs no further unit, and to compress them takes 30 µs. */
const PLAIN_BYTES = 600;
/** Header of the only and last block of a deflate stream that is not compressed. */
const PLAIN_BLOCK = 1;
const PLAIN_HEADER = 5;
const LENGTH_MASK = 0xffff;

/** Returns a short text as a deflate stream of one block that is not compressed. */
const plainBlock = (text: string, length: number): Uint8Array<ArrayBuffer> => {
  const bytes = Buffer.alloc(PLAIN_HEADER + length);
  bytes.writeUInt8(PLAIN_BLOCK, 0);
  bytes.writeUInt16LE(length, 1);
  bytes.writeUInt16LE(length ^ LENGTH_MASK, 3);
  bytes.write(text, PLAIN_HEADER);
  return bytes;
};

/**
 * Low bits of the byte before a stream with a dictionary; the others are the dictionary's number. Deflate knows no such
 * block, so no other stream begins with them.
 */
const MARK = 0b110;
const MARK_BITS = 3;
const MARK_MASK = (1 << MARK_BITS) - 1;

const texts = new Map(Object.values(DICTIONARIES).map(({ id, text }) => [id, text]));

/** Returns the dictionary that a first byte names; undefined without one. @throws NewerRecordError for an unknown one */
const dictionaryOf = (first: number): Buffer | undefined => {
  if ((first & MARK_MASK) !== MARK) return undefined;
  const id = first >> MARK_BITS;
  const text = texts.get(id);
  if (!text) throw new NewerRecordError(new RangeError(`there is no dictionary ${id}`));
  return text;
};

const settingsFor = (text: string) => (text.length > SHORT_TEXT ? LONG : SHORT);

const marked = (id: number, mark: number): number => (id << MARK_BITS) | mark;

const compressedAfter = (
  text: string,
  name: DictionaryName,
  ...before: number[]
): Uint8Array<ArrayBuffer> => {
  const { id, text: dictionary } = DICTIONARIES[name];
  const head = Buffer.of(...before, marked(id, MARK));
  return Buffer.concat([head, deflateRawSync(text, { ...settingsFor(text), dictionary })]);
};

const compressed = (text: string, name?: DictionaryName): Uint8Array<ArrayBuffer> => {
  if (name && hasDictionaries()) return compressedAfter(text, name);
  if (text.length <= PLAIN_BYTES) {
    const length = Buffer.byteLength(text);
    if (length <= PLAIN_BYTES) return plainBlock(text, length);
  }
  return deflateRawSync(text, settingsFor(text));
};

/**
 * Low bits of the byte before listed values; the others are the number of their order. After it comes JSON text, or what
 * {@link compressedAfter} made of it, whose first byte begins no JSON text of a list.
 */
const LISTED_MARK = 0b111;
const LIST_BEGIN = '['.charCodeAt(0);

/** Most bytes of listed values that are stored as they are. To compress them takes longer than to write them. */
const PLAIN_VALUES = 400;

const orders = new Map<number, NumberedOrder>(Object.values(FIELD_ORDERS).map((order) => [order.id, order]));

/** Returns the order in which this process lists the values of a kind of record; undefined if it stores their names. */
const orderFor = (name: DictionaryName | undefined): NumberedOrder | undefined => {
  if (name === undefined || !listsValues()) return undefined;
  const known: Readonly<Partial<Record<DictionaryName, NumberedOrder>>> = FIELD_ORDERS;
  return known[name];
};

const compressedValues = (text: string, { id, dictionary }: NumberedOrder): Uint8Array<ArrayBuffer> =>
  compressedAfter(text, dictionary, marked(id, LISTED_MARK));

/** Packs a record as the list of its values: as text, or compressed if it is long. */
const packValues = (record: object, numbered: NumberedOrder): Uint8Array<ArrayBuffer> => {
  const text = valuesText(numbered.order, record);
  const length = Buffer.byteLength(text);
  if (length > PLAIN_VALUES) return compressedValues(text, numbered);
  const bytes = Buffer.alloc(1 + length);
  bytes.writeUInt8(marked(numbered.id, LISTED_MARK), 0);
  bytes.write(text, 1);
  return bytes;
};

/**
 * Packs a record into one binary value: fewer bytes than its attributes take, so a write costs fewer units.
 *
 * @param name kind of the record. Without one, equal records have equal bytes in every version.
 */
export const pack = (record: object, name?: DictionaryName): Uint8Array<ArrayBuffer> => {
  const order = orderFor(name);
  return order ? packValues(record, order) : compressed(jsonText(record), name);
};

/** Packs a record that is stored for seconds: a short one uncompressed, as its bytes cost less than its compression. */
export const packBriefly = (record: object, name: DictionaryName): Uint8Array<ArrayBuffer> => {
  const text = jsonText(record);
  return compressed(text, text.length > PLAIN_BYTES ? name : undefined);
};

/** Returns a short record as its JSON text, or packed in the forms with dictionaries. */
export const packOrText = (record: object, name: DictionaryName): Uint8Array<ArrayBuffer> | string =>
  hasDictionaries() ? pack(record, name) : jsonText(record);

/**
 * Packs a record of which most stays the same from one time to the next. Remembers the text of the parts that are the
 * same objects as before, and freezes them.
 *
 * @param record the fields that change each time.
 * @param parts the other fields: objects, or lists that keep most of their elements. The last ones of an order of fields.
 */
export const packParts = (record: object, parts: Parts, name?: DictionaryName): Uint8Array<ArrayBuffer> => {
  const order = orderFor(name);
  return order
    ? compressedValues(listedText(record, parts, order.order), order)
    : compressed(namedText(record, parts), name);
};

const markOf = (bytes: Uint8Array): number => (bytes[0] ?? 0) & MARK_MASK;

/** Returns whether a record was packed with a dictionary. */
export const hasDictionary = (bytes: Uint8Array): boolean => markOf(bytes) === MARK;

/** Returns whether a record was packed as a list of its values. */
export const isListed = (bytes: Uint8Array): boolean => markOf(bytes) === LISTED_MARK;

const inflated = (bytes: Uint8Array): string => {
  const dictionary = dictionaryOf(bytes[0] ?? 0);
  return (dictionary ? inflateRawSync(bytes.subarray(1), { dictionary }) : inflateRawSync(bytes)).toString();
};

/** Returns a record of listed values. @throws NewerRecordError for an unknown order */
const unpackValues = (bytes: Uint8Array): unknown => {
  const id = (bytes[0] ?? 0) >> MARK_BITS;
  const known = orders.get(id);
  if (!known) throw new NewerRecordError(new RangeError(`there is no order of fields ${id}`));
  const values = bytes.subarray(1);
  const text = values[0] === LIST_BEGIN ? Buffer.from(values).toString() : inflated(values);
  return recordOf(known.order, JSON.parse(text));
};

/** Returns a packed record unparsed. @throws Error for bytes that are no packed record */
export const unpackJson = (bytes: Uint8Array): unknown =>
  isListed(bytes) ? unpackValues(bytes) : JSON.parse(inflated(bytes));

/** Reads what {@link packOrText} made. */
export const unpackOrParse = (stored: Uint8Array | string): unknown =>
  typeof stored === 'string' ? JSON.parse(stored) : unpackJson(stored);

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
