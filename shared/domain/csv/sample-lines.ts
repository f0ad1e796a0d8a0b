import { cellLineOf } from './cells.ts';
import { isOpen, joined, MAX_LINES } from './list-lines.ts';

/** Line of a sample: its cells, and the last line of the file that they take. */
export interface SampleLine {
  readonly last: number;
  readonly cells: readonly string[];
}

/** Divides the first texts of a file into cells. A line with a fault in its quotes is divided at each separator. */
export const sampleLines = (texts: readonly string[], separator: string): SampleLine[] => {
  const lines: SampleLine[] = [];
  let rest = texts.map((text, index) => ({ line: index + 1, text }));
  for (let [first] = rest; first; [first] = rest) {
    const { text, length } = joined(rest.slice(0, MAX_LINES));
    const taken = isOpen(text) ? 1 : length;
    const together = cellLineOf({ line: first.line, text: taken === 1 ? first.text : text }, separator);
    if (first.text.trim() !== '') {
      const cells = 'cells' in together ? together.cells : first.text.split(separator);
      lines.push({ last: first.line + taken - 1, cells });
    }
    rest = rest.slice(taken);
  }
  return lines;
};
