import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataInUseError, openState, readHolder } from '../../../infra/local/database/state.ts';
import { loadSecret } from '../../../infra/local/services/secrets.ts';

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
