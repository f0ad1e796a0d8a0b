import type { Options } from 'csv-stringify/sync';

/**
 * Returns the options by which rows are written as RFC 4180. Texts that a spreadsheet would run as a formula get an
 * apostrophe, and all texts are quoted, as OWASP recommends. Numbers stay numbers, null is empty, nested values are JSON
 * texts. Functions and browsers pass them to different builds of the library: that for browsers brings a Buffer.
 */
export const csvOptions = (columns: readonly string[], header: boolean): Options => ({
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
