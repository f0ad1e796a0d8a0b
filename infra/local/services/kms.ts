import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { openDataFolder } from '../database/data-folder.ts';
import { DataUnusableError } from '../database/data-unusable.ts';
import { AwsError } from './aws-protocol.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** KMS key for envelope encryption. The key itself is never returned. */
export interface LocalKey {
  readonly id: string;
  readonly key: Buffer;
}

/**
 * Loads the KMS key of this machine, which the first start creates. Only its owner can read the file. Without a
 * directory, the key lives as long as the process.
 */
export const loadKey = (id: string, dataDir: string | undefined): LocalKey => {
  if (!dataDir) return { id, key: randomBytes(KEY_BYTES) };
  const file = join(dataDir, 'data-key');
  if (!existsSync(file)) {
    openDataFolder(dataDir);
    // Write to another file and rename it, so that a killed start leaves no partial key.
    writeFileSync(`${file}.new`, randomBytes(KEY_BYTES).toString('base64'), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  if (key.length !== KEY_BYTES) throw new DataUnusableError(file, 'it does not hold a key');
  return { id, key };
};

const context = z.record(z.string(), z.string()).default({});

export const generateDataKeyInput = z.object({
  KeyId: z.string(),
  KeySpec: z.literal('AES_256'),
  EncryptionContext: context,
});

export const decryptInput = z.object({
  KeyId: z.string().optional(),
  CiphertextBlob: z.base64(),
  EncryptionContext: context,
});

const authenticated = (values: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))));

const requireKey = ({ id }: LocalKey, asked: string | undefined): void => {
  if (asked !== undefined && asked !== id) {
    throw new AwsError('NotFoundException', `Key '${asked}' does not exist`);
  }
};

/** Implements GenerateDataKey of KMS: returns a key in plain text and encrypted under the KMS key. */
export const generateDataKey = (
  held: LocalKey,
  { KeyId, EncryptionContext }: z.output<typeof generateDataKeyInput>,
) => {
  requireKey(held, KeyId);
  const dataKey = randomBytes(KEY_BYTES);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', held.key, iv).setAAD(authenticated(EncryptionContext));
  const sealed = Buffer.concat([cipher.update(dataKey), cipher.final()]);
  return {
    KeyId: held.id,
    Plaintext: dataKey.toString('base64'),
    CiphertextBlob: Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64'),
  };
};

/** Implements Decrypt of KMS. Refuses another context than that of the encryption. */
export const decrypt = (
  held: LocalKey,
  { KeyId, CiphertextBlob, EncryptionContext }: z.output<typeof decryptInput>,
) => {
  requireKey(held, KeyId);
  const bytes = Buffer.from(CiphertextBlob, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', held.key, bytes.subarray(0, IV_BYTES));
    decipher.setAAD(authenticated(EncryptionContext));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return { KeyId: held.id, Plaintext: opened.toString('base64'), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
  } catch {
    throw new AwsError('InvalidCiphertextException', 'The ciphertext or its context does not match this key');
  }
};
