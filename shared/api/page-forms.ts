import { stringify } from 'csv-stringify/sync';
import Negotiator from 'negotiator';
import * as z from 'zod';
import { csvOptions } from '../domain/csv/write-csv.ts';

/** Text of a list, in a form that a client chose. */
interface ListText {
  readonly type: string;
  /** Extension of a file of this type. */
  readonly extension: 'csv' | 'ndjson';
  readonly text: string;
}

type Row = Readonly<Record<string, unknown>>;
type Write = (page: z.ZodType, rows: readonly Row[]) => string;

const rowsSchema = z.array(z.record(z.string(), z.unknown()));

/** Returns the schema of the items of a page. */
const itemOf = (page: z.ZodType): unknown => {
  const items: unknown = page instanceof z.ZodObject ? page.shape.items : undefined;
  return items instanceof z.ZodArray ? items.element : undefined;
};

/** Returns the names of the fields of a record, or of all variants of a union, in declared order. */
const columnsOf = (item: unknown): string[] => {
  if (item instanceof z.ZodObject) return Object.keys(item.shape);
  if (item instanceof z.ZodUnion) {
    return [...new Set(item.options.flatMap(columnsOf))];
  }
  return [];
};

const csv =
  ({ header }: { readonly header: boolean }): Write =>
  (page, rows) => {
    const columns = columnsOf(itemOf(page));
    return stringify(
      rows.map((row) => columns.map((name) => row[name])),
      csvOptions(columns, header),
    );
  };

const ndjson: Write = (_page, rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const CSV = 'text/csv; charset=utf-8';

/** Types of lists, preferred ones first; undefined for JSON. */
const FORMS: Readonly<
  Record<string, { readonly extension: ListText['extension']; readonly write: Write } | undefined>
> = {
  'application/json; charset=utf-8': undefined,
  [`${CSV}; header=present`]: { extension: 'csv', write: csv({ header: true }) },
  [`${CSV}; header=absent`]: { extension: 'csv', write: csv({ header: false }) },
  'application/x-ndjson; charset=utf-8': { extension: 'ndjson', write: ndjson },
  'application/ndjson; charset=utf-8': { extension: 'ndjson', write: ndjson },
  'application/jsonl; charset=utf-8': { extension: 'ndjson', write: ndjson },
};

/**
 * Writes the items of a page in the form that `Accept` prefers; undefined for JSON, also if no form fits.
 *
 * @param page schema of the page.
 */
export const listText = (accept: string, page: z.ZodType, items: unknown): ListText | undefined => {
  const type = new Negotiator({ headers: { accept } }).mediaType(Object.keys(FORMS));
  const form = type === undefined ? undefined : FORMS[type];
  if (type === undefined || !form) return undefined;
  return { type, extension: form.extension, text: form.write(page, rowsSchema.parse(items)) };
};
