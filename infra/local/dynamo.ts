import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { openServer } from './server.ts';

export interface Dynamo {
  readonly endpoint: string;
  /** Resolves when the database ends without having been closed. */
  readonly failed: Promise<Error>;
  readonly close: () => Promise<void>;
}

/** There is no embedded database for this platform. */
export class NoEmbeddedDatabase extends Error {
  constructor(platform: string) {
    super(
      `There is no embedded DynamoDB for ${platform}. Set HUB_DYNAMODB_ENDPOINT to the address of another ` +
        'one, for instance DynamoDB Local on http://127.0.0.1:8000.',
    );
    this.name = 'NoEmbeddedDatabase';
  }
}

/** The database that HUB_DYNAMODB_ENDPOINT names cannot be used. */
export class DatabaseUnusable extends Error {
  constructor(endpoint: string, cause: unknown) {
    super(`The DynamoDB at ${endpoint} (HUB_DYNAMODB_ENDPOINT) cannot be used: ${String(cause)}`, { cause });
    this.name = 'DatabaseUnusable';
  }
}

const findBinary = (): string => {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${platform}/dynoxide`);
  } catch (cause) {
    throw Object.assign(new NoEmbeddedDatabase(platform), { cause });
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
    return []; // It ended while we looked.
  }
};

/**
 * Ends databases that a killed launcher left behind on this data file. The caller holds the lock on the
 * data, so no such process has a living launcher. Two servers on one file would corrupt its streams.
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
 * Ends the database when this process ends in any way, SIGKILL included: the kernel then closes the
 * pipe that the watcher reads.
 */
const watch = (pid: number): ChildProcess => {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -9 "$0"', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  return watcher;
};

const launch = async (binary: string, file: string | undefined): Promise<Dynamo> => {
  const port = await freePort();
  const child = spawn(
    binary,
    ['serve', '--host', '127.0.0.1', '--port', String(port), ...(file ? ['--db-path', file] : [])],
    // A group of its own: Ctrl-C must not end the database under the requests that are being finished.
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = once(child, 'exit');
  if (child.pid === undefined) {
    await exited;
    throw new Error(`${binary} does not start`);
  }
  const watcher = watch(child.pid);
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
    throw new Error(`the embedded database does not start: ${said.join(' ')}`);
  }
  child.unref();
  let closing = false;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    failed: new Promise((resolve) => {
      exited.then(() => {
        watcher.kill('SIGKILL');
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
 * With every write and every reading of a stream the database looks for a sequence number among all
 * stream records, which it keeps for good. Without this index, that takes longer with every write.
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

const launchOn = async (binary: string, file: string | undefined): Promise<Dynamo> => {
  const dynamo = await launch(binary, file);
  try {
    // The database has made its tables by now, and takes up an index that appears.
    if (file) indexStream(file);
    return dynamo;
  } catch (error) {
    await dynamo.close();
    throw error;
  }
};

/**
 * Starts the embedded DynamoDB, in memory or on a file that nobody else uses.
 * Throws NoEmbeddedDatabase where there is none for the platform.
 */
export const startDynamo = async (file?: string): Promise<Dynamo> => {
  const binary = findBinary();
  if (file) endOrphans(file);
  try {
    return await launchOn(binary, file);
  } catch (error) {
    // Somebody else took the free port in between.
    if (error instanceof Error && error.message.includes('in use')) return launchOn(binary, file);
    throw error;
  }
};
