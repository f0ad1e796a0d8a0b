import { type ListLine, lineOf, type Shape, type Text } from './cells.ts';

/** Maximum number of lines of a quoted cell. A longer cell has no closing quote. */
export const MAX_LINES = 5;

/** True if a quoted cell goes on after a text. */
export const isOpen = (text: string): boolean => (text.split('"').length - 1) % 2 === 1;

/** Takes the next line, including the continuation lines of a quoted cell. */
export const joined = (texts: readonly Text[]): { readonly text: string; readonly length: number } => {
  let text = texts[0]?.text ?? '';
  let length = 1;
  for (; isOpen(text) && length < texts.length; length++) text += `\n${texts[length]?.text}`;
  return { text, length };
};

/** Divides the parts of a text into lines. Only carriage returns and line feeds end lines, as in editors that number them. */
export const textsIn = async function* (parts: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let rest = '';
  for await (const part of parts) {
    const texts = `${rest}${part}`.split(/\r?\n|\r(?=[^\n])/);
    rest = texts.pop() ?? '';
    yield* texts;
  }
  const last = rest.replace(/\r$/, '');
  if (last !== '') yield last;
  return undefined;
};

/**
 * Reads line by line and joins the lines of a quoted cell. Parsing the whole file at once would lose the rest of it
 * after a missing closing quote; here only its own line is lost.
 */
export const linesOf = async function* (
  texts: AsyncIterable<string>,
  { line: last, ...shape }: Shape & { readonly line: number },
  onText: (text: string) => void,
): AsyncGenerator<ListLine> {
  let held: Text[] = [];
  const release = function* (rest: boolean): Generator<ListLine> {
    for (let [first] = held; first; [first] = held) {
      const { text, length } = joined(held);
      if (isOpen(text) && !rest && held.length < MAX_LINES) return;
      const together = lineOf({ line: first.line, text }, shape);
      const alone = length > 1 && 'fault' in together;
      if (first.text.trim() !== '') yield alone ? lineOf(first, shape) : together;
      held = held.slice(alone ? 1 : length);
    }
  };
  let line = last;
  for await (const text of texts) {
    onText(text);
    held.push({ line: ++line, text });
    yield* release(false);
  }
  yield* release(true);
};

/** Counts the lines read of a text. The position of a stream is not the progress, as it reads ahead. */
export const counterOf = (size: number, bytesOfLetter = 1) => {
  let letters = 0;
  return {
    count: (text: string): void => {
      letters += text.length + 1;
    },
    progress: () => Math.min(1, (letters * bytesOfLetter) / Math.max(1, size)),
  };
};
