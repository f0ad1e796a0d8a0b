// Runs in browsers too, which have no Buffer.
import { stringify } from 'csv-stringify/browser/esm/sync';

/**
 * Writes rows as RFC 4180. Texts that a spreadsheet would run as a formula get an apostrophe, and all texts are quoted,
 * as OWASP recommends. Numbers stay numbers, null is empty, nested values are JSON texts.
 */
export const csvText = (
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  { header }: { readonly header: boolean },
): string =>
  stringify([...rows], {
    columns: [...columns],
    header,
    record_delimiter: '\r\n',
    escape_formulas: true,
    quoted_string: true,
    cast: {
      boolean: String,
      // The library leaves line feeds at the beginning as they are.
      string: (text, { header: isName }) =>
        isName ? { value: text, quoted_string: false } : text.replace(/^\n/, "'\n"),
    },
  });
