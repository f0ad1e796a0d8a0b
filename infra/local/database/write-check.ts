import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { faultOf } from './data-unusable.ts';

/** As much as a large item. A small write may fit into room that the database has left from earlier ones. */
const WRITTEN_BYTES = 256 * 1024;
/** The database may be writing. The service does nothing else meanwhile. */
const TIMEOUT_MS = 250;

const write = (file: string): void => {
  const database = new DatabaseSync(file, { timeout: TIMEOUT_MS });
  try {
    database.exec(
      'CREATE TABLE IF NOT EXISTS _hub_write_check (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;' +
        `INSERT OR REPLACE INTO _hub_write_check VALUES (1, zeroblob(${WRITTEN_BYTES}));`,
    );
  } finally {
    database.close();
  }
};

/** Returns why nothing can be written to a database file; undefined if it can be, or if it is only busy. */
export const findWriteFault = (file: string): string | undefined => {
  const fault = faultOf(file);
  if (fault !== undefined) return fault;
  try {
    // SQLite says only that it cannot open a file whose folder is gone.
    accessSync(dirname(file), constants.W_OK);
    write(file);
    return undefined;
  } catch (error) {
    return faultOf(file, error);
  }
};
