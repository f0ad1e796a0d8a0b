import type { Json } from './json.ts';

/** Writes rules as the text of the text view. */
export const textOf = (draft: Json): string => JSON.stringify(draft, null, 2);

export type ReadText = { readonly draft: Json } | { readonly fault: string };

/** Finds the line and the column of a place in a text. */
const lineAt = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
};

/** Finds the place of a mistake in the message of the browser. Browsers tell a position, a line, or neither. */
const placeOf = (text: string, message: string): string => {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return ` near ${lineAt(text, Number(position))}`;
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined) return ` near line ${line}, column ${column}`;
  return /\bend\b/i.test(message) ? ' at the end' : '';
};

/** Reads rules from the text view, or tells the place of the first mistake. */
export const readText = (text: string): ReadText => {
  if (text.trim() === '') return { fault: 'The text is empty.' };
  try {
    const draft: Json = JSON.parse(text);
    return { draft };
  } catch (error) {
    const place = placeOf(text, error instanceof Error ? error.message : '');
    return {
      fault: `The text is not valid JSON. Look${place} for a missing comma, quote or bracket.`,
    };
  }
};
