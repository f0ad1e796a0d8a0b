import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { makeDatabaseFile, openDataFolder } from './data-folder.ts';
import { asDataUnusable, openingData, reasonOf, sqliteCode } from './data-unusable.ts';

/** Another service runs on the same data. */
export class DataInUseError extends Error {
  constructor(dataDir: string, holder: Holder | undefined) {
    const who = holder
      ? `the service at ${holder.url} (process ${holder.pid})`
      : 'a service that is starting';
    super(`The data in ${dataDir} is in use by ${who}. Stop it, or choose other data with HUB_DATA_DIR.`);
    this.name = 'DataInUseError';
  }
}

const holderSchema = z.object({
  pid: z.int(),
  url: z.string(),
  dynamodb: z.string(),
  bus: z.string(),
  /** File of the embedded database, unless the service uses another one. */
  file: z.string().optional(),
});
type Holder = z.output<typeof holderSchema>;

/** An event that the bus has accepted for a rule and has not delivered yet. */
export interface QueuedEvent {
  readonly id: number;
  readonly rule: string;
  /** The event's envelope as JSON text. */
  readonly event: string;
}

/** A message that a queue has accepted and its consumer has not taken yet. */
export interface QueuedMessage {
  readonly id: number;
  readonly queue: string;
  /** The message as JSON text. */
  readonly message: string;
}

/** State of the local engine. The data of the service is in the table. */
export interface EngineState {
  readonly checkpoint: (key: string) => string | undefined;
  readonly saveCheckpoint: (key: string, sequenceNumber: string) => void;
  readonly checkpoints: () => Readonly<Record<string, string>>;
  readonly enqueue: (events: readonly Omit<QueuedEvent, 'id'>[]) => readonly QueuedEvent[];
  readonly dequeue: (id: number) => void;
  readonly queued: () => readonly QueuedEvent[];
  readonly addMessages: (messages: readonly Omit<QueuedMessage, 'id'>[]) => readonly QueuedMessage[];
  readonly removeMessages: (ids: readonly number[]) => void;
  readonly messages: () => readonly QueuedMessage[];
  /** Publishes the addresses of the service and its database to other processes. */
  readonly announce: (addresses: Omit<Holder, 'pid'>) => void;
  readonly close: () => void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS checkpoint (key TEXT PRIMARY KEY, sequence TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, rule TEXT NOT NULL, event TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS message (id INTEGER PRIMARY KEY, queue TEXT NOT NULL, message TEXT NOT NULL) STRICT;
`;

const holderFile = (dataDir: string): string => join(dataDir, 'running.json');

/** Returns the service that last announced itself on this data. It may have ended. */
export const readHolder = (dataDir: string): Holder | undefined => {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(holderFile(dataDir), 'utf8')));
  } catch {
    // The file is missing, or a killed process wrote only a part of it.
    return undefined;
  }
};

const SQLITE_BUSY = 5;

/**
 * Opens the state of the engine and locks the data. The process holds the file exclusively until it ends; the operating
 * system then releases it in any case. Without a directory, the state is in memory.
 *
 * @throws DataInUseError, or DataUnusableError if the folder or its database cannot be opened.
 */
export const openState = (dataDir: string | undefined): EngineState => {
  if (dataDir) openingData(dataDir, () => openDataFolder(dataDir));
  const file = dataDir ? join(dataDir, 'engine.sqlite') : ':memory:';
  if (dataDir) openingData(file, () => makeDatabaseFile(file));
  const database = openingData(file, () => new DatabaseSync(file));
  try {
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;`);
    database.exec(`BEGIN EXCLUSIVE; ${SCHEMA} COMMIT;`);
  } catch (error) {
    database.close();
    if (dataDir && sqliteCode(error) === SQLITE_BUSY) throw new DataInUseError(dataDir, readHolder(dataDir));
    throw asDataUnusable(file, error);
  }
  // Remove the announcement of a killed process.
  if (dataDir) rmSync(holderFile(dataDir), { force: true });
  const read = database.prepare('SELECT sequence FROM checkpoint WHERE key = ?');
  const save = database.prepare('INSERT OR REPLACE INTO checkpoint (key, sequence) VALUES (?, ?)');
  const saved = database.prepare('SELECT key, sequence FROM checkpoint');
  const savedRow = z.object({ key: z.string(), sequence: z.string() });
  const add = database.prepare('INSERT INTO event (rule, event) VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM event WHERE id = ?');
  const all = database.prepare('SELECT id, rule, event FROM event ORDER BY id');
  const row = z.object({ id: z.int(), rule: z.string(), event: z.string() });
  const addMessage = database.prepare('INSERT INTO message (queue, message) VALUES (?, ?)');
  const removeMessage = database.prepare('DELETE FROM message WHERE id = ?');
  const allMessages = database.prepare('SELECT id, queue, message FROM message ORDER BY id');
  const messageRow = z.object({ id: z.int(), queue: z.string(), message: z.string() });
  /** Makes several changes with one write to the disk. */
  const atOnce = <T>(work: () => T): T => {
    database.exec('BEGIN');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite may have rolled back already, for example when the disk is full.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
  /** Makes a change that a later one makes up for, if the disk does not take it. */
  const unlessFull = (change: () => void): void => {
    try {
      change();
    } catch (error) {
      if (reasonOf(error) === undefined) throw error;
    }
  };
  /** Removals that the disk did not take. */
  const left = new Set<() => void>();
  /** Removes rows. Those that the disk does not take are removed with later ones, or come again after the next start. */
  const removeAll = (removals: readonly (() => void)[]): void => {
    for (const one of removals) left.add(one);
    unlessFull(() => {
      atOnce(() => {
        for (const one of left) one();
      });
      left.clear();
    });
  };
  return {
    checkpoint: (key) => {
      const sequence = read.get(key)?.sequence;
      return typeof sequence === 'string' ? sequence : undefined;
    },
    saveCheckpoint: (key, sequenceNumber) => unlessFull(() => save.run(key, sequenceNumber)),
    checkpoints: () =>
      Object.fromEntries(
        saved.all().map((found) => {
          const { key, sequence } = savedRow.parse(found);
          return [key, sequence];
        }),
      ),
    enqueue: (events) =>
      atOnce(() =>
        events.map(({ rule, event }) => ({
          id: Number(add.run(rule, event).lastInsertRowid),
          rule,
          event,
        })),
      ),
    dequeue: (id) => removeAll([() => remove.run(id)]),
    queued: () => all.all().map((found) => row.parse(found)),
    addMessages: (messages) =>
      atOnce(() =>
        messages.map(({ queue, message }) => ({
          id: Number(addMessage.run(queue, message).lastInsertRowid),
          queue,
          message,
        })),
      ),
    removeMessages: (ids) => removeAll(ids.map((id) => () => removeMessage.run(id))),
    messages: () => allMessages.all().map((found) => messageRow.parse(found)),
    announce: (addresses) => {
      if (dataDir)
        writeFileSync(holderFile(dataDir), JSON.stringify({ pid: process.pid, ...addresses }), {
          mode: 0o600,
        });
    },
    close: () => {
      if (dataDir) rmSync(holderFile(dataDir), { force: true });
      database.close();
    },
  };
};
