/** Letters that Unicode does not take apart, in the spelling of keyboards that lack them. */
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

/** Reads `É` as `e` and `ß` as `ss`: neither case, nor accents, nor compatibility forms matter. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđðþæœς]/g, (letter) => SPELLED[letter] ?? letter);

/** The words of a text as they are compared; what stands inside a word (`L'Oréal`, `U.S.`) joins it. */
export const wordsOf = (text: string): string[] =>
  fold(text.replace(/['’‘.]|\p{Default_Ignorable_Code_Point}/gu, '')).match(
    /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]+/gu,
  ) ?? [];
