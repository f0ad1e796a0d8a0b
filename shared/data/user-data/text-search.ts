/** Characters of a part of a name by which a text is dismissed. */
const GRAM = 4;
const BITS_A_CHARACTER = 7;
const ASCII = 127;
const GRAM_MASK = 2 ** (GRAM * BITS_A_CHARACTER) - 1;
const SLOTS = 2 ** 16;
/** Spreads grams over slots (the golden ratio, in 32 bits). */
const SPREAD = 0x9e37_79b1;

/** Returns a text in lower case. The long s is the only other character that a pattern without case takes for ASCII. */
const folded = (text: string): string => text.toLowerCase().replaceAll('ſ', 's');

/** Returns the longest part of a name that is ASCII: other letters have cases that are no single character. */
const asciiPart = (name: string): string =>
  folded(name)
    .split(/[^\0-\x7f]+/u)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');

/** Returns the position of the gram of a name. E-mails differ most right before the at sign. */
const gramStart = (part: string): number => {
  const at = part.indexOf('@');
  const start = at === -1 ? part.length - GRAM : at - GRAM + 1;
  return Math.min(Math.max(0, start), part.length - GRAM);
};

const slotOf = (gram: number): number => Math.imul(gram, SPREAD) >>> 16;

interface Needle<T> {
  readonly part: string;
  readonly start: number;
  readonly subject: T;
}

/**
 * Searches texts for the names of many subjects at once. The time grows with the texts and hardly with the names: a
 * table of four-letter parts dismisses nearly every position.
 *
 * @returns a function that hands over the subjects whose names a text may hold, in any case. It finds every name, and
 *   sometimes more: names with letters beyond ASCII by a part, those that are too short in every text.
 */
export const textSearch = <T>(
  subjects: readonly T[],
  namesOf: (subject: T) => readonly string[],
): ((text: string, take: (subject: T) => void) => void) => {
  const short = new Set<T>();
  const needles = new Map<number, Needle<T>[]>();
  const isTaken = new Uint8Array(SLOTS);
  for (const subject of subjects) {
    for (const name of namesOf(subject)) {
      const part = asciiPart(name);
      if (part.length < GRAM) {
        short.add(subject);
        continue;
      }
      const start = gramStart(part);
      let gram = 0;
      for (let at = start; at < start + GRAM; at++) gram = (gram << BITS_A_CHARACTER) | part.charCodeAt(at);
      needles.set(gram, [...(needles.get(gram) ?? []), { part, start, subject }]);
      isTaken[slotOf(gram)] = 1;
    }
  }
  return (text, take) => {
    for (const subject of short) take(subject);
    const within = folded(text);
    let gram = 0;
    for (let at = 0; at < within.length; at++) {
      gram = ((gram << BITS_A_CHARACTER) | (within.charCodeAt(at) & ASCII)) & GRAM_MASK;
      if (isTaken[slotOf(gram)] !== 1) continue;
      for (const { part, start, subject } of needles.get(gram) ?? []) {
        const from = at - GRAM + 1 - start;
        if (from >= 0 && within.startsWith(part, from)) take(subject);
      }
    }
  };
};
