import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asDataUnusable } from '../../../infra/local/database/data-unusable.ts';
import { DataInUseError, openState, readHolder } from '../../../infra/local/database/state.ts';
import { loadSecret } from '../../../infra/local/services/secrets.ts';
import { CHILD_ENVIRONMENT } from '../../support/child-environment.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hub-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

describe('the state', () => {
  it('is locked by one service at a time, and the next one gets an error that says so', () => {
    const state = openState(dataDir);
    expect(() => openState(dataDir)).toThrow(DataInUseError);
    state.announce({
      url: 'http://localhost:3000',
      dynamodb: 'http://127.0.0.1:8000',
      bus: 'http://127.0.0.1:3001',
    });
    expect(() => openState(dataDir)).toThrow(
      `in use by the service at http://localhost:3000 (process ${process.pid})`,
    );
    state.close();
    expect(readHolder(dataDir)).toBeUndefined();
    openState(dataDir).close();
  });

  it('remembers checkpoints and undelivered events', () => {
    const state = openState(dataDir);
    expect(state.checkpoint('a')).toBeUndefined();
    state.saveCheckpoint('a', '1');
    state.saveCheckpoint('a', '2');
    const [first, second] = state.enqueue([
      { rule: 'r', event: '{"n":1}' },
      { rule: 'r', event: '{"n":2}' },
    ]);
    state.dequeue(first?.id ?? 0);
    state.close();
    const again = openState(dataDir);
    expect(again.checkpoint('a')).toBe('2');
    expect(again.queued()).toEqual([second]);
    again.close();
  });

  it('ignores the announcement of a killed service', async () => {
    await writeFile(join(dataDir, 'running.json'), JSON.stringify({ pid: 1, url: 'http://localhost:1' }));
    const state = openState(dataDir);
    expect(readHolder(dataDir)).toBeUndefined();
    state.close();
  });
});

/** Uses a data folder in a process whose files may have at most a few megabytes. */
const useFull = async (): Promise<unknown> => {
  const program = fileURLToPath(new URL('./fixtures/full-disk.ts', import.meta.url));
  const limited = ['-c', 'ulimit -f 4000; exec "$0" "$@"', process.execPath, program, dataDir];
  const { stdout } = await promisify(execFile)('/bin/sh', limited, { env: CHILD_ENVIRONMENT });
  return JSON.parse(stdout);
};

describe('the state on a disk that takes no more', () => {
  it('refuses new events each time with the reason; a later change makes up for a removal or a checkpoint', async () => {
    expect(await useFull()).toEqual({
      before: null,
      after: 'the disk failed to read or write',
      failures: ['Error: disk I/O error'],
      removal: null,
      checkpoint: null,
    });
    const state = openState(dataDir);
    expect(state.queued().length).toBeGreaterThan(10);
    state.close();
  });

  it.each([
    ['the system', '/data', { code: 'ENOSPC' }],
    // The file system of processes has no room. SQLite reports on a full disk that it cannot extend a file.
    ['SQLite', '/proc/table.sqlite', { errcode: 4874 }],
  ])(
    'is explained at the start without the advice to delete data, by an error of %s',
    (_by, path, fields) => {
      expect(asDataUnusable(path, Object.assign(new Error('failed'), fields))).toMatchObject({
        message: `The data at ${path} cannot be used: the disk is full. Make room on it, or choose another one with HUB_DATA_DIR.`,
      });
    },
  );
});

describe('the secret', () => {
  it('is generated once, readable only by its owner', async () => {
    const secret = loadSecret(dataDir);
    expect(secret.versions[0]?.value.master).toMatch(/^[\w-]{64}$/);
    expect(loadSecret(dataDir)).toEqual(secret);
    expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  it('is kept in memory without a directory', () => {
    expect(loadSecret(undefined)).not.toEqual(loadSecret(undefined));
  });

  it('that cannot be read fails the start and is not replaced', async () => {
    const file = join(dataDir, 'secrets.json');
    await writeFile(file, '{}');
    expect(() => loadSecret(dataDir)).toThrow('cannot be used');
    expect(await readFile(file, 'utf8')).toBe('{}');
  });
});
