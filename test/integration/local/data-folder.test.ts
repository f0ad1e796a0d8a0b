import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startDynamo } from '../../../infra/local/database/dynamo.ts';
import { openState } from '../../../infra/local/database/state.ts';
import { loadKey } from '../../../infra/local/services/kms.ts';
import { loadSecret } from '../../../infra/local/services/secrets.ts';
import { openEngineClient } from '../../support/engine.ts';

let parent: string;
let dataDir: string;
let umask: number;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'hub-folder-'));
  dataDir = join(parent, 'data');
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
  rmSync(parent, { recursive: true });
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const modesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));

/** Creates all files that a running service stores, and returns their modes. */
const fill = async (): Promise<Record<string, string>> => {
  const state = openState(dataDir);
  const dynamo = await startDynamo(join(dataDir, 'table.sqlite'));
  const client = openEngineClient(dynamo.endpoint);
  try {
    await client.send(
      new CreateTableCommand({
        TableName: 'table',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    loadSecret(dataDir);
    loadKey('key', dataDir);
    state.announce({ url: 'http://localhost:3000', dynamodb: dynamo.endpoint, bus: 'http://127.0.0.1:3001' });
    return modesIn(dataDir);
  } finally {
    client.destroy();
    await dynamo.close();
    state.close();
  }
};

describe('the data folder', () => {
  test('is closed to other users of the machine, with every file in it', async () => {
    const modes = await fill();
    expect(Object.keys(modes)).toEqual(
      expect.arrayContaining(['data-key', 'engine.sqlite', 'running.json', 'secrets.json', 'table.sqlite']),
    );
    expect(Object.keys(modes).filter((name) => name.startsWith('table.sqlite-'))).not.toEqual([]);
    expect(new Set(Object.values(modes))).toEqual(new Set(['600']));
    expect(modeOf(dataDir)).toBe('700');
  });

  test('is closed again when somebody opened it', async () => {
    await fill();
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644);
    chmodSync(dataDir, 0o755);
    openState(dataDir).close();
    expect(new Set(Object.values(modesIn(dataDir)))).toEqual(new Set(['600']));
    expect(modeOf(dataDir)).toBe('700');
  });

  test('keeps its mode if it holds other files, and they keep theirs', async () => {
    mkdirSync(dataDir, { mode: 0o755 });
    writeFileSync(join(dataDir, 'notes.txt'), 'mine', { mode: 0o644 });
    const { 'notes.txt': notes, ...own } = await fill();
    expect(notes).toBe('644');
    expect(new Set(Object.values(own))).toEqual(new Set(['600']));
    expect(modeOf(dataDir)).toBe('755');
  });
});
