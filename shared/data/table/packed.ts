import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { deepStoredForm, keepUnknown } from '../../domain/unknown-fields.ts';
import { DICTIONARIES, type DictionaryName } from './dictionaries.ts';
import { misfit, NewerRecordError } from './newer-record.ts';
import { hasDictionaries } from './stored-form.ts';

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

const compressedAfter = (text: string, name: DictionaryName): Uint8Array<ArrayBuffer> => {
  const { id, text: dictionary } = DICTIONARIES[name];
  const mark = Buffer.of((id << MARK_BITS) | MARK);
  return Buffer.concat([mark, deflateRawSync(text, { ...settingsFor(text), dictionary })]);
};

const compressed = (text: string, name?: DictionaryName): Uint8Array<ArrayBuffer> => {
  if (name && hasDictionaries()) return compressedAfter(text, name);
  if (text.length <= PLAIN_BYTES) {
    const length = Buffer.byteLength(text);
    if (length <= PLAIN_BYTES) return plainBlock(text, length);
  }
  return deflateRawSync(text, settingsFor(text));
};

/** Returns the JSON text of a record, with the attributes that a newer version stored. */
const jsonText = (value: unknown): string => JSON.stringify(deepStoredForm(value));

/**
 * Compresses a record into one binary value: a quarter of its bytes or less, so a write costs fewer units.
 *
 * @param name dictionary of the kind of record. Without one, equal records have equal bytes in every version.
 */
export const pack = (record: object, name?: DictionaryName): Uint8Array<ArrayBuffer> =>
  compressed(jsonText(record), name);

/** Packs a record that is stored for seconds: a short one uncompressed, as its bytes cost less than its compression. */
export const packBriefly = (record: object, name: DictionaryName): Uint8Array<ArrayBuffer> => {
  const text = jsonText(record);
  return compressed(text, text.length > PLAIN_BYTES ? name : undefined);
};

/** Returns a short record as its JSON text, or packed with a dictionary. */
export const packOrText = (record: object, name: DictionaryName): Uint8Array<ArrayBuffer> | string => {
  const text = jsonText(record);
  return hasDictionaries() ? compressedAfter(text, name) : text;
};

/** JSON text of the parts that were packed before. */
const partTexts = new WeakMap<object, string>();

/** Freezes a value at every depth, so that a change of a part with a remembered text throws. */
const deepFreeze = (value: unknown): void => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
};

const rememberedText = (part: object): string => {
  const known = partTexts.get(part);
  if (known !== undefined) return known;
  deepFreeze(part);
  const text = jsonText(part);
  partTexts.set(part, text);
  return text;
};

/** A list that was packed before, with the text of its elements. */
interface PackedList {
  readonly list: readonly object[];
  readonly text: string;
}

/** Lists that were packed before, by their last element. */
const lists = new WeakMap<object, PackedList>();

/** Returns how many of the first elements of a list are gone in one that continues it; undefined if it does not. */
const goneOf = (before: readonly object[], continued: readonly object[]): number | undefined => {
  const gone = before.length - continued.length;
  if (gone < 0) return undefined;
  return continued.every((element, index) => element === before[gone + index]) ? gone : undefined;
};

/** Returns the text of a list that has one element more than one packed before, and may lack its first ones. */
const continuedText = (list: readonly object[]): string | undefined => {
  const [previous, last] = list.slice(-2);
  const before = previous && lists.get(previous);
  const gone = before && goneOf(before.list, list.slice(0, -1));
  if (!previous || !last || !before || gone === undefined) return undefined;
  lists.delete(previous);
  const start = before.list
    .slice(0, gone)
    .reduce<number>((sum, part) => sum + rememberedText(part).length + 1, 0);
  return `${before.text.slice(start)},${rememberedText(last)}`;
};

/** Returns the text of the elements of a list. Freezes it and remembers its text until a list continues it. */
const listText = (list: readonly object[]): string => {
  const last = list.at(-1);
  if (!last) return '';
  const known = lists.get(last);
  if (known?.list === list) return known.text;
  const text = continuedText(list) ?? list.map(rememberedText).join(',');
  lists.set(last, { list: Object.freeze(list), text });
  return text;
};

/**
 * Packs a record of which most stays the same from one time to the next. Remembers the text of the parts that are the
 * same objects as before, and freezes them.
 *
 * @param record the fields that change each time.
 * @param parts the other fields: objects, or lists that keep most of their elements.
 */
export const packParts = (
  record: object,
  parts: Readonly<Record<string, object | readonly object[]>>,
  name?: DictionaryName,
): Uint8Array<ArrayBuffer> => {
  const text = jsonText(record);
  const fields = Object.entries(parts).map(([field, part]) => {
    const inner = Array.isArray(part) ? `[${listText(part)}]` : rememberedText(part);
    return `${JSON.stringify(field)}:${inner}`;
  });
  return compressed(`{${[...(text === '{}' ? [] : [text.slice(1, -1)]), ...fields].join(',')}}`, name);
};

/** Returns whether a record was packed with a dictionary. */
export const hasDictionary = (bytes: Uint8Array): boolean => ((bytes[0] ?? 0) & MARK_MASK) === MARK;

/** Returns the JSON text of a packed record. @throws Error for bytes that are no packed record */
export const unpackText = (bytes: Uint8Array): string => {
  const dictionary = dictionaryOf(bytes[0] ?? 0);
  return (dictionary ? inflateRawSync(bytes.subarray(1), { dictionary }) : inflateRawSync(bytes)).toString();
};

/** Returns a packed record unparsed. */
export const unpackJson = (bytes: Uint8Array): unknown => JSON.parse(unpackText(bytes));

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

/** Schema of a binary attribute. Bytes that cannot be unpacked are an issue of the item, as other damage is. */
export const unpackedBy = <T>(unpackBytes: (bytes: Uint8Array) => T) =>
  z.instanceof(Uint8Array).transform((bytes, context): T => {
    try {
      return unpackBytes(bytes);
    } catch (error) {
      // The issues of a packed record say more.
      if (error instanceof NewerRecordError || error instanceof z.ZodError) throw error;
      context.addIssue({ code: 'custom', message: 'the bytes are damaged, or of a newer version' });
      return z.NEVER;
    }
  });

/** Schema of an attribute that holds a packed record. */
export const packed = <S extends z.ZodType>(schema: S) => unpackedBy((bytes) => unpack(schema, bytes));
