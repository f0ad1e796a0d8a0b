/** Letters and signs that look like a Latin letter, after NFKD, without marks and in lower case. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ@4',
  b: 'вьβƅʙƀ',
  c: 'сϲᴄ¢ꮯ',
  d: 'ԁɗđᴅ',
  e: 'еєεҽᴇ3€℮ꬲɇ',
  f: 'ғƒꜰϝ',
  g: 'ɡԍɢց',
  h: 'һнηʜħհ',
  j: 'јϳʝᴊ',
  k: 'кκĸᴋ',
  // Capital I, small l and the digit look the same.
  l: 'iіιıɩɪӏʟǀ|!1łɨ',
  m: 'мμᴍ',
  n: 'пոɴ',
  o: 'оοօσөᴏø0',
  p: 'рρᴘ',
  q: 'ԛզ',
  r: 'гʀɾ',
  s: 'ѕꜱʂ$5',
  t: 'тτᴛŧ',
  u: 'υսᴜʋ',
  v: 'νѵᴠ',
  w: 'ωԝѡᴡ',
  x: 'хχҳ×',
  y: 'уγүʏ¥',
  z: 'ᴢʐ',
};

const LATIN = new Map(
  Object.entries(LOOKALIKES).flatMap(([latin, others]) =>
    [...others].map((other) => [other, latin] as const),
  ),
);

/**
 * Returns the skeleton of a text: equal for texts that look alike. Case, spaces, signs, marks and hidden characters do not
 * count.
 *
 * @example
 * skeletonOf('Ѕuрроrt'); // 'support'
 */
export const skeletonOf = (text: string): string =>
  [...text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()]
    .map((letter) => LATIN.get(letter) ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

/** Scripts whose letters can look like those of another one, with the scripts that are written together with them. */
const SCRIPTS: readonly (readonly [script: RegExp, others: RegExp])[] = [
  [
    /\p{Script=Latin}/u,
    /[^\P{L}\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u,
  ],
  [/\p{Script=Cyrillic}/u, /[^\P{L}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u],
  [/\p{Script=Greek}/u, /[^\P{L}\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]/u],
  [/\p{Script=Armenian}/u, /[^\P{L}\p{Script=Armenian}\p{Script=Common}\p{Script=Inherited}]/u],
  [/\p{Script=Cherokee}/u, /[^\P{L}\p{Script=Cherokee}\p{Script=Common}\p{Script=Inherited}]/u],
  [/\p{Script=Coptic}/u, /[^\P{L}\p{Script=Coptic}\p{Script=Common}\p{Script=Inherited}]/u],
  [/\p{Script=Lisu}/u, /[^\P{L}\p{Script=Lisu}\p{Script=Common}\p{Script=Inherited}]/u],
];

/** Matches a word of letters of other scripts that all look like Latin ones, as they are written. */
const LATIN_LIKE = /^[асеорхуѕіјһԁԛԝӏАВСЕНІЈКМОРЅТХУӀονιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]+$/u;
/** Matches a word of the scripts of {@link LATIN_LIKE}. */
const LIKE_SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** Matches letters of mathematics and enclosed letters, which stand for plain ones. */
const STYLED = /[\u{1d400}-\u{1d7ff}\u{24b6}-\u{24e9}\u{1f130}-\u{1f189}]/u;

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}]+/gu) ?? [];

/** Returns whether words in Latin letters are next to one that only looks so. Other words of its script show what it is. */
const hasImitation = (words: readonly string[]): boolean =>
  words.some((word) => /\p{Script=Latin}/u.test(word)) &&
  words.some((word) => word.length > 1 && LATIN_LIKE.test(word)) &&
  !words.some((word) => LIKE_SCRIPTS.test(word) && !LATIN_LIKE.test(word));

/**
 * Returns whether a text looks like another one: a word mixes scripts, letters of another script form a Latin-looking word
 * among Latin ones, or letters are styled. A text in one script, and words of several scripts, are fine.
 */
export const isConfusable = (text: string): boolean => {
  if (STYLED.test(text)) return true;
  const words = wordsOf(text.normalize('NFC'));
  const mixes = words.some((word) =>
    SCRIPTS.some(([script, others]) => script.test(word) && others.test(word)),
  );
  return mixes || hasImitation(words);
};

/** Matches emoji of several parts, keycaps, and joiners that Arabic and Indic spelling needs. */
const SPELT =
  /\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?(?:\u200d\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)*|[\d#*]\ufe0f\u20e3|(?<=[\u09b0\u0cb0])\u200d(?=[\u09cd\u0ccd])|(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d]/gu;
/** Matches characters without a width of their own, marks of direction, and the blank of Braille. */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800]/u;

/** Returns whether a text has characters that nobody sees. */
export const hasHidden = (text: string): boolean => HIDDEN.test(text.replace(SPELT, ''));
