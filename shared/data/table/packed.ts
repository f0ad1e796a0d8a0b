import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as z from 'zod';
import { deepStoredForm, keepUnknown } from '../../domain/unknown-fields.ts';
import { misfit } from './newer-record.ts';

/** A longer text gets the largest window, which finds repetitions further back but takes 260 KB of memory per call. */
const SHORT_TEXT = 16_384;

/**
 * Settings of the compression. A full ledger takes 1,700 bytes at level 3 and two thirds of the time of level 6, which
 * takes 1,600; at level 1 it passes the next KB, so each write would cost more. The small window saves a tenth of the
 * time and costs ten bytes.
 */
const SHORT = { level: 3, windowBits: 12, memLevel: 5, chunkSize: 4096 };
const LONG = { level: 6 };

const compressed = (text: string): Uint8Array<ArrayBuffer> =>
  deflateRawSync(text, text.length > SHORT_TEXT ? LONG : SHORT);

const textOf = (value: unknown): string => JSON.stringify(deepStoredForm(value));

/** Compresses a record into one binary value: a quarter of its bytes or less, so a write costs fewer units. */
export const pack = (record: object): Uint8Array<ArrayBuffer> => compressed(textOf(record));

/** Shorter text of a message is not worth compressing: its item stays below 1 KB, the least that a write costs. */
const TINY_TEXT = 512;

/** Returns a stored block of Deflate (RFC 1951, section 3.2.4): {@link unpack} reads it like compressed text. */
const storedBlock = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = Buffer.from(text);
  const header = Buffer.from([1, 0, 0, 0, 0]);
  header.writeUInt16LE(bytes.length, 1);
  header.writeUInt16LE(0xffff - bytes.length, 3);
  return Buffer.concat([header, bytes]);
};

/** Packs a message that is written and read once. Compresses it only if it is long. */
export const packMessage = (record: object): Uint8Array<ArrayBuffer> => {
  const text = textOf(record);
  return text.length > TINY_TEXT ? compressed(text) : storedBlock(text);
};

/** JSON text of list elements that were packed before. Elements never change, so their text does not either. */
const texts = new WeakMap<object, string>();

const rememberedText = (element: object): string => {
  const known = texts.get(element);
  if (known !== undefined) return known;
  const text = textOf(element);
  texts.set(element, text);
  return text;
};

/**
 * Packs a record with one long list of immutable elements as its last field. Remembers the text of each element: an
 * event adds one element to a list of a hundred.
 */
export const packWithList = (
  record: object,
  name: string,
  list: readonly object[],
): Uint8Array<ArrayBuffer> => {
  const text = textOf(record);
  const start = text === '{}' ? '{' : `${text.slice(0, -1)},`;
  return compressed(`${start}${JSON.stringify(name)}:[${list.map(rememberedText).join(',')}]}`);
};

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
