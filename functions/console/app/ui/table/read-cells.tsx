import { type ComponentChildren, render } from 'preact';
import { type Cell, type CellRow, shownNumber } from './cells.ts';
import type { Column } from './table-props.ts';

/** Elements whose text is no value: names for screen readers, signs for eyes, and controls that hold a state. */
const NO_VALUE = '.unseen, [aria-hidden="true"], input, select';

interface Part {
  readonly value: number | string;
  readonly text: string;
  readonly unit?: string | undefined;
}

const partsOf = (node: Node): Part[] => {
  if (!(node instanceof Element)) {
    const text = node.textContent ?? '';
    return node instanceof Text && text.trim() !== '' ? [{ value: text, text }] : [];
  }
  if (node.matches(NO_VALUE)) return [];
  const text = node.textContent ?? '';
  if (node instanceof HTMLTimeElement) return [{ value: node.dateTime, text }];
  if (node instanceof HTMLDataElement) {
    return [{ value: Number(node.value), text, unit: node.dataset.unit }];
  }
  return [...node.childNodes].flatMap(partsOf);
};

const wordsOf = (parts: readonly Part[]): string =>
  parts
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const cellOf = (element: Element, isNumber: boolean): Cell => {
  const parts = partsOf(element);
  const [first] = parts;
  if (!first) return { value: undefined, text: '', unit: undefined };
  const text = wordsOf(parts);
  if (parts.length > 1 || first.value === first.text) {
    return { value: (isNumber ? shownNumber(text) : undefined) ?? text, text, unit: undefined };
  }
  return { value: first.value, text, unit: first.unit };
};

/** Draws contents outside of the page, and returns their elements. */
const drawnApart = <T,>(
  contents: readonly ComponentChildren[],
  read: (elements: readonly Element[]) => T,
): T => {
  const place = document.createElement('div');
  render(
    contents.map((content, index) => <div key={index}>{content}</div>),
    place,
  );
  const result = read([...place.children]);
  render(null, place);
  return result;
};

/** Reads the values of rows off their cells, so that all tables are sorted and exported by the figures they show. */
export const readCells = <R,>(rows: readonly R[], columns: readonly Column<R>[]): readonly CellRow<R>[] =>
  drawnApart(
    rows.flatMap((row) => columns.map(({ cell, isCommands }) => (isCommands ? null : cell(row)))),
    (elements) =>
      rows.map((row, index) => ({
        row,
        cells: columns.map(({ isNumber = false }, column) => {
          const element = elements[index * columns.length + column];
          return element ? cellOf(element, isNumber) : { value: undefined, text: '', unit: undefined };
        }),
      })),
  );

/** Returns the heads of columns as texts. */
export const headsOf = <R,>(columns: readonly Column<R>[]): readonly string[] =>
  drawnApart(
    columns.map(({ head }) => head),
    (elements) => elements.map((element) => wordsOf(partsOf(element))),
  );
