/** Letters that Unicode normalisation does not decompose, in plain spelling. */
const SPELLED: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
};

/** Removes case, accents and compatibility forms: reads `É` as `e` and `ß` as `ss`. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđðþæœς]/g, (letter) => SPELLED[letter] ?? letter);

/** Splits a text into words for comparing. Punctuation within a word (`L'Oréal`, `U.S.`) joins it. */
export const wordsOf = (text: string): string[] =>
  fold(text.replace(/['’‘.]|\p{Default_Ignorable_Code_Point}/gu, '')).match(
    /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]+/gu,
  ) ?? [];
