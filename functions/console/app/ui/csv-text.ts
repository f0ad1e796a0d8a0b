import { stringify } from 'csv-stringify/browser/esm/sync';
import { csvOptions } from '../../../../shared/domain/csv/write-csv.ts';

/** Returns the text of a CSV file with a head. Load it late: the library is larger than most screens. */
export const csvText = (columns: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  stringify([...rows], csvOptions(columns, true));
