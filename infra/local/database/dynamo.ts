import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import packageJson from '../../../package.json' with { type: 'json' };
import { openServer } from '../gateway/server.ts';
import { FILE_MODE, makeDatabaseFile } from './data-folder.ts';
import { DataUnusableError, openingData } from './data-unusable.ts';
import { findWriteFault } from './write-check.ts';

export interface Dynamo {
  readonly endpoint: string;
  /** File that holds the data and outlives the database; undefined without one. */
  readonly file?: string;
  /** Returns why the database cannot write; undefined if it can, or if that is unknown. */
  readonly findWriteFault: () => string | undefined;
  /** File that holds the data as long as the database runs; undefined without one. */
  readonly scratchFile?: string;
  /** Resolves when the database ends without a call of `close`. */
  readonly failed: Promise<Error>;
  readonly close: () => Promise<void>;
}

const VERSION = packageJson.optionalDependencies['@dynoxide/linux-x64'];

/** The platform has no program in node_modules. The same server is also a package for other platforms. */
export class NoEmbeddedDatabaseError extends Error {
  constructor(platform: string) {
    super(
      `There is no embedded DynamoDB for ${platform}. Run \`npx dynoxide@${VERSION} --port 8000\` in another ` +
        'terminal, and start with HUB_DYNAMODB_ENDPOINT=http://127.0.0.1:8000 and the argument --memory.',
    );
    this.name = 'NoEmbeddedDatabaseError';
  }
}

/** The database at HUB_DYNAMODB_ENDPOINT cannot be used. */
export class EndpointUnusableError extends Error {
  constructor(endpoint: string, cause: unknown) {
    super(`The DynamoDB at ${endpoint} (HUB_DYNAMODB_ENDPOINT) cannot be used: ${String(cause)}`, { cause });
    this.name = 'EndpointUnusableError';
  }
}

/** Finds the program of the embedded database. @throws NoEmbeddedDatabaseError if the platform has none. */
export const findBinary = (): string => {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${platform}/dynoxide`);
  } catch (cause) {
    throw Object.assign(new NoEmbeddedDatabaseError(platform), { cause });
  }
};

const freePort = async (): Promise<number> => {
  const server = await openServer();
  await server.close();
  return server.port;
};

const argumentsOf = (pid: string): readonly string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // The process ended in the meantime.
  }
};

/**
 * Ends databases that a killed launcher left running on this data file. The caller holds the lock on the data, so these
 * processes have no running launcher. Two servers on one file would corrupt its streams.
 */
const endOrphans = (file: string): void => {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [binary = '', ...rest] = argumentsOf(pid);
    const isOurs = binary.endsWith('/dynoxide') && rest[rest.indexOf('--db-path') + 1] === file;
    if (isOurs) process.kill(Number(pid), 'SIGKILL');
  }
};

/**
 * Runs a shell script when this process ends in any way, including SIGKILL: the kernel then closes the pipe that the
 * watcher reads. Closing its input runs the script at once.
 *
 * @param args are `$0`, `$1` and so on of the script.
 */
export const watch = (script: string, ...args: readonly string[]) => {
  const watcher = spawn('/bin/sh', ['-c', `read -r _; ${script}`, ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  return watcher;
};

/** Ends the database with this process. Removes the folder of a scratch database. */
const watchDatabase = (pid: number, scratch: string | undefined): ChildProcess =>
  scratch ? watch('kill -9 "$0"; rm -rf "$1"', String(pid), scratch) : watch('kill -9 "$0"', String(pid));

const launch = async (binary: string, file: string | undefined, scratch?: string): Promise<Dynamo> => {
  const port = await freePort();
  const child = spawn(
    binary,
    ['serve', '--host', '127.0.0.1', '--port', String(port), ...(file ? ['--db-path', file] : [])],
    {
      // Use a separate process group, so that Ctrl-C does not end the database while requests are being finished.
      detached: true,
      // The database writes one request at a time. With more threads, parallel requests wait for the locks of its
      // memory allocator: transactions of 100 items take almost twice as long.
      env: { ...process.env, TOKIO_WORKER_THREADS: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const exited = once(child, 'exit');
  if (child.pid === undefined) {
    await exited;
    throw new Error(`${binary} cannot be started`);
  }
  const watcher = watchDatabase(child.pid, scratch);
  const said: string[] = [];
  const lines = createInterface({ input: child.stderr });
  const outcome = await Promise.race([
    exited.then(() => 'ended'),
    new Promise<string>((resolve) => {
      lines.on('line', (line) => {
        said.splice(0, said.length - 4, line);
        if (line.includes('listening on')) resolve('ready');
      });
    }),
  ]);
  if (outcome === 'ended') {
    watcher.kill('SIGKILL');
    const reason = `the embedded database cannot be started: ${said.join(' ')}`;
    // A scratch file is new, so it is not the cause.
    throw file && !scratch && !reason.includes('in use')
      ? new DataUnusableError(file, findWriteFault(file) ?? reason)
      : new Error(reason);
  }
  child.unref();
  let closing = false;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    findWriteFault: () => (file ? findWriteFault(file) : undefined),
    failed: new Promise((resolve) => {
      exited.then(() => {
        watcher.kill('SIGKILL');
        if (scratch) rmSync(scratch, { recursive: true, force: true });
        if (!closing) resolve(new Error(`the embedded database ended: ${said.join(' ')}`));
      });
    }),
    close: async () => {
      closing = true;
      child.ref();
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), 1000);
      await exited;
      clearTimeout(insist);
    },
  };
};

/**
 * Adds an index on stream records. With every write and every stream read, the database searches a sequence number in
 * all stream records, which it never deletes. Without the index, this takes longer with every write.
 */
const indexStream = (file: string): void => {
  const database = new DatabaseSync(file, { timeout: 1000 });
  try {
    database.exec(
      'CREATE INDEX IF NOT EXISTS _stream_records_by_sequence ' +
        'ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    );
  } finally {
    database.close();
  }
};

const launchOn = async (binary: string, file: string | undefined, scratch?: string): Promise<Dynamo> => {
  const dynamo = await launch(binary, file, scratch);
  try {
    // The database has created its tables by now and uses a new index at once.
    if (file) openingData(file, () => indexStream(file));
    return dynamo;
  } catch (error) {
    await dynamo.close();
    throw error;
  }
};

/** Launches again if another process took the free port in the meantime. */
const launchTwice = async (file: string | undefined, scratch?: string): Promise<Dynamo> => {
  const binary = findBinary();
  if (file) openingData(file, () => makeDatabaseFile(file));
  try {
    return await launchOn(binary, file, scratch);
  } catch (error) {
    if (error instanceof Error && error.message.includes('in use')) return launchOn(binary, file, scratch);
    throw error;
  }
};

/** Checks the header of an existing database file. @throws DataUnusableError if it is not a database or cannot be opened. */
const checkFile = (file: string): void => {
  if (!existsSync(file)) return;
  openingData(file, () => {
    const database = new DatabaseSync(file, { timeout: 1000 });
    try {
      database.exec('PRAGMA schema_version');
    } finally {
      database.close();
    }
  });
};

/** Copies a database to a file, whole or not at all. */
const copyTo = (file: string, source: string): void =>
  openingData(file, () => {
    copyFileSync(source, `${file}.new`);
    chmodSync(`${file}.new`, FILE_MODE);
    renameSync(`${file}.new`, file);
  });

/**
 * Starts the embedded DynamoDB, in memory or on a file that no other process uses.
 *
 * @param source a database to copy if there is no file yet.
 * @throws NoEmbeddedDatabaseError if the platform has none, DataUnusableError for a damaged file.
 */
export const startDynamo = async (file?: string, source?: string): Promise<Dynamo> => {
  if (!file) return launchTwice(undefined);
  endOrphans(file);
  if (source !== undefined && !existsSync(file)) copyTo(file, source);
  checkFile(file);
  return { ...(await launchTwice(file)), file };
};

/** Folder in memory, if the machine has one. */
const SHARED_MEMORY = '/dev/shm';

/** Creates an empty folder for a short time, in memory if possible: writing there waits for no disk. */
export const makeScratchFolder = (): Promise<string> =>
  mkdtemp(join(existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir(), 'hub-'));

/**
 * Starts the embedded DynamoDB on a file that is removed when it ends. Unlike a database in memory, a file can have the
 * index that keeps streams fast.
 *
 * @param source a database to copy.
 * @throws NoEmbeddedDatabaseError if the platform has none.
 */
export const startScratchDynamo = async (source?: string): Promise<Dynamo> => {
  const scratch = await makeScratchFolder();
  try {
    const scratchFile = join(scratch, 'table.sqlite');
    if (source !== undefined) copyTo(scratchFile, source);
    return { ...(await launchTwice(scratchFile, scratch)), scratchFile };
  } catch (error) {
    rmSync(scratch, { recursive: true, force: true });
    throw error;
  }
};
