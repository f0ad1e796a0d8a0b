import { deepStoredForm, isRecord } from '../../domain/unknown-fields.ts';
import { type FieldOrder, valuesOf } from './listed-values.ts';

/*
 * JSON texts of records to pack. Most parts of some records stay the same from one time to the next, so the texts of
 * these parts are remembered.
 */

/** Returns the JSON text of a record, with the attributes that a newer version stored. */
export const jsonText = (value: unknown): string => JSON.stringify(deepStoredForm(value));

/** Returns the values of a record as JSON text, with the attributes that a newer version stored. */
export const valuesText = (order: FieldOrder, record: object, count?: number): string => {
  const form = deepStoredForm(record);
  if (!isRecord(form)) throw new TypeError('only the values of a record can be listed');
  return JSON.stringify(valuesOf(order, form, count));
};

/** A part with its order, if its values are listed, and its text. */
interface PartText {
  readonly order: FieldOrder | undefined;
  readonly text: string;
}

/** Texts of the parts that were packed before. */
const partTexts = new WeakMap<object, PartText>();

/** Freezes a value at every depth, so that a change of a part with a remembered text throws. */
const deepFreeze = (value: unknown): void => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
};

const rememberedText = (part: object, order?: FieldOrder): string => {
  const known = partTexts.get(part);
  if (known !== undefined && known.order === order) return known.text;
  deepFreeze(part);
  const text = order ? valuesText(order, part) : jsonText(part);
  partTexts.set(part, { order, text });
  return text;
};

/** A list that was packed before, with the text of its elements. */
interface PackedList {
  readonly list: readonly object[];
  readonly text: string;
}

/** Lists that were packed before, by their last element. */
const lists = new WeakMap<object, PackedList>();

/** Returns how many of the first elements of a list are gone in one that adds an element; undefined if others changed. */
const goneOf = (before: readonly object[], list: readonly object[]): number | undefined => {
  const kept = list.length - 1;
  const gone = before.length - kept;
  if (gone < 0) return undefined;
  for (let index = 0; index < kept; index++) {
    if (list[index] !== before[gone + index]) return undefined;
  }
  return gone;
};

/** Returns the text of a list that has one element more than one packed before, and may lack its first ones. */
const continuedText = (list: readonly object[]): string | undefined => {
  const previous = list.at(-2);
  const last = list.at(-1);
  const before = previous && lists.get(previous);
  const gone = before && goneOf(before.list, list);
  if (!previous || !last || !before || gone === undefined) return undefined;
  lists.delete(previous);
  const start = before.list
    .slice(0, gone)
    .reduce<number>((sum, part) => sum + rememberedText(part).length + 1, 0);
  // A template would remember a chain of texts, each to be walked again at the next event.
  return [before.text.slice(start), rememberedText(last)].join(',');
};

/** Returns the text of the elements of a list. Freezes it and remembers its text until a list continues it. */
const listText = (list: readonly object[]): string => {
  const last = list.at(-1);
  if (!last) return '';
  const known = lists.get(last);
  if (known?.list === list) return known.text;
  const text = continuedText(list) ?? list.map((part) => rememberedText(part)).join(',');
  lists.set(last, { list: Object.freeze(list), text });
  return text;
};

export type Parts = Readonly<Record<string, object | readonly object[]>>;

const partText = (part: object | readonly object[], order?: FieldOrder): string =>
  Array.isArray(part) ? `[${listText(part)}]` : rememberedText(part, order);

/** Returns the JSON text of a record and its parts. Remembers the texts of the parts, and freezes them. */
export const namedText = (record: object, parts: Parts): string => {
  const text = jsonText(record);
  const fields = Object.entries(parts).map(([field, part]) => `${JSON.stringify(field)}:${partText(part)}`);
  return `{${[...(text === '{}' ? [] : [text.slice(1, -1)]), ...fields].join(',')}}`;
};

/** Returns the values of a record and its parts as JSON text. The parts are the last fields of the order. */
export const listedText = (record: object, parts: Parts, order: FieldOrder): string => {
  const { names, inner } = order;
  const first = names.length - Object.keys(parts).length;
  const texts = names.slice(first).map((name, index) => {
    const part = parts[name];
    if (part === undefined) throw new RangeError(`${name} is no part of the record`);
    return partText(part, inner[first + index]?.order);
  });
  return `${valuesText(order, record, first).slice(0, -1)},${texts.join(',')}]`;
};
