/** Position and reason of a JSON error. Clients know the messages from Python's decoder. */
export interface JsonFault {
  readonly msg: string;
  readonly pos: number;
  readonly lineno: number;
  readonly colno: number;
}

class JsonError extends Error {
  readonly pos: number;
  constructor(msg: string, pos: number) {
    super(msg);
    this.pos = pos;
  }
}

const WHITESPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const HEX4 = /[0-9a-fA-F]{4}/y;
const MAX_DEPTH = 500;

const skip = (text: string, at: number): number => {
  WHITESPACE.lastIndex = at;
  return at + (WHITESPACE.exec(text)?.[0].length ?? 0);
};

const string = (text: string, quote: number): number => {
  for (let at = quote + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char < ' ') throw new JsonError('Invalid control character at', at);
    if (char !== '\\') continue;
    const kind = text.charAt(++at);
    if (kind === '') throw new JsonError('Unterminated string starting at', quote);
    if (kind === 'u') {
      HEX4.lastIndex = at + 1;
      // CPython requires another character after the four digits, such as the closing quote.
      if (!HEX4.test(text) || at + 5 >= text.length) throw new JsonError('Invalid \\uXXXX escape', at);
      at += 4;
    } else if (!'"\\/bfnrt'.includes(kind)) throw new JsonError('Invalid \\escape', at - 1);
  }
  throw new JsonError('Unterminated string starting at', quote);
};

const object = (text: string, open: number, depth: number): number => {
  let at = skip(text, open + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    if (text[at] !== '"') throw new JsonError('Expecting property name enclosed in double quotes', at);
    at = skip(text, string(text, at));
    if (text[at] !== ':') throw new JsonError("Expecting ':' delimiter", at);
    at = skip(text, value(text, skip(text, at + 1), depth + 1));
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') throw new JsonError("Expecting ',' delimiter", at);
    at = skip(text, at + 1);
  }
};

const array = (text: string, open: number, depth: number): number => {
  let at = skip(text, open + 1);
  if (text[at] === ']') return at + 1;
  for (;;) {
    at = skip(text, value(text, at, depth + 1));
    if (text[at] === ']') return at + 1;
    if (text[at] !== ',') throw new JsonError("Expecting ',' delimiter", at);
    at = skip(text, at + 1);
  }
};

const value = (text: string, at: number, depth: number): number => {
  if (depth > MAX_DEPTH) throw new JsonError('Nesting is too deep', at);
  const char = text[at];
  if (char === '"') return string(text, at);
  if (char === '{') return object(text, at, depth);
  if (char === '[') return array(text, at, depth);
  for (const word of ['null', 'true', 'false']) if (text.startsWith(word, at)) return at + word.length;
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0];
  if (number) return at + number.length;
  throw new JsonError('Expecting value', at);
};

/** Converts an offset in UTF-16 units to a position in characters. */
const placeOf = (text: string, unit: number): Omit<JsonFault, 'msg'> => {
  let pos = 0;
  let lineno = 1;
  let lineStart = 0;
  for (const char of text.slice(0, unit)) {
    pos++;
    if (char !== '\n') continue;
    lineno++;
    lineStart = pos;
  }
  return { pos, lineno, colno: pos - lineStart + 1 };
};

/**
 * Locates the first error of a text that `JSON.parse` refuses. Messages and positions are those of the `json` module of
 * CPython 3.11, as in the error bodies of the contract.
 */
export const locateJsonFault = (text: string): JsonFault => {
  let msg = 'Expecting value';
  let pos = 0;
  try {
    const end = skip(text, value(text, skip(text, 0), 0));
    [msg, pos] = ['Extra data', end];
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    [msg, pos] = [error.message, error.pos];
  }
  return { msg, ...placeOf(text, pos) };
};
