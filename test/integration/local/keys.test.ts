import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LocalServer, openServer } from '../../../infra/local/gateway/server.ts';
import { createAws } from '../../../infra/local/services/aws.ts';
import { type LocalKey, loadKey } from '../../../infra/local/services/kms.ts';
import { createMessages } from '../../../infra/local/services/messages.ts';
import { rotateSecret, secretReader } from '../../../infra/local/services/secrets.ts';
import { createCipher } from '../../../shared/auth/cipher.ts';
import { readSecrets } from '../../../shared/secrets.ts';
import { readCapability } from '../../../shared/settings.ts';
import { engineClient } from '../../support/engine.ts';

const ID = 'alias/hub';
const DAY = 24 * 3_600_000;
const MINUTE = 60_000;

let dataDir: string;
let server: LocalServer;
let endpoint: string;
let key: LocalKey;
const environment = { ...process.env };

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-keys-'));
  key = loadKey(ID, dataDir);
  server = await openServer();
  endpoint = `http://127.0.0.1:${server.port}`;
  const messages = createMessages(() => undefined);
  server.serve(createAws({ messages, secret: secretReader(dataDir), secretId: 'hub/local', key }));
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_KMS: endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
  });
});
afterAll(async () => {
  process.env = environment;
  await server.close();
  rmSync(dataDir, { recursive: true });
});

describe('the data key', () => {
  const context = { purpose: 'test' };
  const kms = () => new KMSClient(engineClient(endpoint));
  const generate = (KeyId = ID) =>
    kms().send(new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext: context }));

  test('is generated and decrypted through the SDK as by KMS', async () => {
    const { Plaintext, CiphertextBlob } = await generate();
    expect(Plaintext).toHaveLength(32);
    const opened = await kms().send(new DecryptCommand({ CiphertextBlob, EncryptionContext: context }));
    expect(opened.Plaintext).toEqual(Plaintext);
  });

  test('is not decrypted with another context, another key, or after a change', async () => {
    const { CiphertextBlob = new Uint8Array() } = await generate();
    const changed = Uint8Array.from(CiphertextBlob, (byte, index) => (index === 40 ? byte ^ 1 : byte));
    for (const input of [
      { CiphertextBlob, EncryptionContext: { purpose: 'other' } },
      { CiphertextBlob },
      { CiphertextBlob: changed, EncryptionContext: context },
      { CiphertextBlob: new Uint8Array(3), EncryptionContext: context },
    ]) {
      await expect(kms().send(new DecryptCommand(input))).rejects.toMatchObject({
        name: 'InvalidCiphertextException',
      });
    }
    await expect(generate('alias/other')).rejects.toMatchObject({ name: 'NotFoundException' });
  });

  test('is the same after a restart, and only its owner can read it', () => {
    expect(loadKey(ID, dataDir).key).toEqual(key.key);
    expect(statSync(join(dataDir, 'data-key')).mode & 0o077).toBe(0);
  });
});

describe('a sealed text', () => {
  const cipher = createCipher({
    capability: (name) => readCapability(name, { HUB_DATA_KEY_ID: ID }),
    random: randomBytes,
  });

  test('opens only under its context, with the fields of the context in any order', async () => {
    const sealed = await cipher.seal({ a: '1', b: '2' }, 'tökens');
    expect(await cipher.open({ b: '2', a: '1' }, sealed)).toBe('tökens');
    await expect(cipher.open({ a: '1', b: '3' }, sealed)).rejects.toThrow();
    await expect(cipher.open({ a: '1' }, sealed)).rejects.toThrow();
  });

  test('holds no part of the text, and is different each time', async () => {
    const [one, two] = await Promise.all(['a secret token', 'a secret token'].map((t) => cipher.seal({}, t)));
    expect(Buffer.from(one ?? []).toString('latin1')).not.toContain('secret');
    expect(one).not.toEqual(two);
  });

  test('does not open if a byte of it was changed', async () => {
    const sealed = await cipher.seal({ a: '1' }, 'text');
    for (const place of [0, 1, 5, sealed.length - 20, sealed.length - 1]) {
      const changed = Uint8Array.from(sealed, (byte, index) => (index === place ? byte ^ 0xff : byte));
      await expect(cipher.open({ a: '1' }, changed)).rejects.toThrow();
    }
    await expect(cipher.open({ a: '1' }, new Uint8Array(2))).rejects.toThrow();
  });
});

describe('the master key', () => {
  const stored = () => JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  const masterOf = (index: number): string => stored().versions[index].value.master;
  const read = async (now: number) => (await readSecrets('hub/local', new Date(now))).masters;

  test('signs only after all functions have read it; the previous one still verifies', async () => {
    const rotated = Date.now();
    const first = masterOf(0);
    expect(await read(rotated)).toEqual([first]);
    rotateSecret(dataDir, { force: false, now: new Date(rotated) });
    const second = masterOf(0);
    expect(second).not.toBe(first);
    expect(stored().versions[0].value.analytics_secret).toBe(stored().versions[1].value.analytics_secret);
    expect(await read(rotated + 14 * MINUTE)).toEqual([first, second]);
    expect(await read(rotated + 16 * MINUTE)).toEqual([second, first]);
  });

  test('is listed once if a new version of the secret only adds a credential', async () => {
    const before = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
    const [current] = stored().versions;
    const filled = { ...current, id: 'filled', value: { ...current.value, challenge_secret: 'new' } };
    writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify({ versions: [filled, current] }));
    expect(await read(Date.now())).toEqual([current.value.master]);
    writeFileSync(join(dataDir, 'secrets.json'), before);
  });

  test('is not rotated again while sessions of the previous key are valid, unless forced', () => {
    const at = Date.parse(stored().versions[0].created_at);
    const again = (now: number, force = false) => rotateSecret(dataDir, { force, now: new Date(now) });
    expect(() => again(at + 29 * DAY)).toThrow('less than 30 days ago');
    const second = masterOf(0);
    again(at + MINUTE, true);
    expect(masterOf(1)).toBe(second);
    again(at + 31 * DAY);
    expect(stored().versions).toHaveLength(2);
  });

  test('is generated by the first start, not by a rotation', () => {
    expect(() => rotateSecret(join(dataDir, 'nothing'), { force: false, now: new Date() })).toThrow(
      'The first start generates them',
    );
  });
});
