import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Item, toAttributes } from '../../../shared/data/table/attributes.ts';
import { TABLE } from '../../../shared/data/table/table.ts';
import { tableInput } from '../../../shared/data/table/table-input.ts';
import { findBinary, makeScratchFolder, watch } from './dynamo.ts';

/** Writes many items into the file of the local engine, several times faster than transactions. */
export interface BulkLoad {
  /**
   * Gets items ready, and returns the function that writes them in one commit. It replaces stored items with the same
   * keys. The items get no stream records. The next items can be made ready while these are being written.
   *
   * @throws TypeError for an item with an attribute of bytes, or one that an index of the table lists, since indexes
   *   are not written; RangeError for an item that is too large.
   */
  readonly stage: (items: Iterable<Item>) => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
}

/** Time that a commit waits for those of the engine, in ms. The engine waits as long for this one. */
const BUSY_MS = 5000;

/** Size of the largest item that DynamoDB stores, in bytes. The import of the engine does not check it. */
const MAX_ITEM = 400 * 1024;

/** Lines are written in pieces of about this many characters. */
const PIECE = 65_536;

/** @throws TypeError for an item that a bulk load would store in another form than a transaction. */
const refuseOthers = (item: Item): void => {
  if (TABLE.indexes.some(({ partitionKey }) => Object.hasOwn(item, partitionKey))) {
    throw new TypeError('an item that an index lists cannot be loaded in bulk');
  }
  if (Object.values(item).some((value) => value instanceof Uint8Array)) {
    throw new TypeError('an item with bytes cannot be loaded in bulk');
  }
};

/** Returns the items as lines of a DynamoDB export. */
const exportOf = function* (items: Iterable<Item>): Generator<string> {
  let piece = '';
  for (const item of items) {
    refuseOthers(item);
    const line = JSON.stringify({ Item: toAttributes(item) });
    // Compares the line, which is longer than the item.
    if (Buffer.byteLength(line) > MAX_ITEM) throw new RangeError('an item is larger than 400 KB');
    piece += `${line}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
};

/** Runs the import of the engine. Ctrl-C does not end it, as the lines under way are finished. */
const runImport = async (args: readonly string[]): Promise<void> => {
  const child = spawn(findBinary(), ['import', ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [[code, signal], said] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  // Ctrl-C reaches a child that has just been forked and is not detached yet. Its output is written again.
  if (signal === 'SIGINT') return runImport(args);
  if (code !== 0) throw new Error(`the embedded database cannot import items: ${said.trim()}`);
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Copies all rows of the attached database `loaded` into a table, and commits. */
const copyRows = (database: DatabaseSync, table: string): void => {
  const columns = database
    .prepare('SELECT name FROM pragma_table_info(?, ?)')
    .all(table, 'loaded')
    .map(({ name }) => quoted(String(name)))
    .join(', ');
  // Sorts the rows, as neighbours share pages.
  database.exec(
    `INSERT OR REPLACE INTO main.${quoted(table)} (${columns})
     SELECT ${columns} FROM loaded.${quoted(table)} ORDER BY pk, sk`,
  );
};

/**
 * Opens a bulk load into a table of the local engine, which may run meanwhile. The engine itself imports the items into a
 * new file, as DynamoDB does from S3, and the rows of that file are copied.
 */
export const openBulkLoad = async (file: string, table: string): Promise<BulkLoad> => {
  const scratch = await makeScratchFolder();
  const remover = watch('rm -rf "$0"', scratch);
  const schema = join(scratch, 'schema.json');
  const output = join(scratch, 'loaded.sqlite');
  await writeFile(schema, JSON.stringify({ Table: tableInput(table) }));
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  let staged = 0;
  return {
    stage: async (items) => {
      const source = join(scratch, `export-${++staged}`);
      const lines = join(source, table, 'data', 'items.json');
      await mkdir(dirname(lines), { recursive: true });
      await pipeline(exportOf(items), createWriteStream(lines));
      return async () => {
        await runImport(['--source', source, '--schema', schema, '--output', output, '--force']);
        await rm(source, { recursive: true });
        database.prepare('ATTACH ? AS loaded').run(output);
        try {
          copyRows(database, table);
        } finally {
          database.exec('DETACH loaded');
        }
      };
    },
    close: async () => {
      database.close();
      const removed = once(remover, 'exit');
      remover.ref();
      remover.stdin.end();
      await removed;
    },
  };
};
