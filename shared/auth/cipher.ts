import { createCipheriv, createDecipheriv } from 'node:crypto';
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { awsClient } from '../aws-client.ts';
import type { Runtime } from '../runtime.ts';

/** Encryption context. A sealed text can only be opened with the same context. */
type SealContext = Readonly<Record<string, string>>;

/** Encrypts texts that are stored in the table and read again. */
export interface Cipher {
  readonly seal: (context: SealContext, text: string) => Promise<Uint8Array<ArrayBuffer>>;
  /** Throws if the context or the key differs, or if the sealed text was changed. */
  readonly open: (context: SealContext, sealed: Uint8Array) => Promise<string>;
}

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** One byte for the version and two for the length of the encrypted data key. */
const HEAD_BYTES = 3;

let client: KMSClient | undefined;

const kms = (): KMSClient => {
  client ??= awsClient(KMSClient, 'dataKeys');
  return client;
};

/** Serialises a context independently of the order of its keys. */
const authenticated = (context: SealContext): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));

const damaged = (): Error => new Error('a sealed text is damaged or of another version');

/**
 * Creates a cipher with envelope encryption. Each text is encrypted with AES-256-GCM under its own data key from KMS.
 * The data key is stored with the text, encrypted under the customer key of the service. Both are bound to the
 * context.
 */
export const createCipher = ({ capability, random }: Pick<Runtime, 'capability' | 'random'>): Cipher => ({
  seal: async (context, text) => {
    const { HUB_DATA_KEY_ID: KeyId } = capability('encryption');
    const { Plaintext: key, CiphertextBlob: sealedKey } = await kms().send(
      new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext: { ...context } }),
    );
    if (!key || !sealedKey) throw new Error('KMS made no data key');
    const iv = random(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(authenticated(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    key.fill(0);
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt8(VERSION, 0);
    head.writeUInt16BE(sealedKey.byteLength, 1);
    return Buffer.concat([head, sealedKey, iv, cipher.getAuthTag(), body]);
  },
  open: async (context, sealed) => {
    const bytes = Buffer.from(sealed);
    if (bytes.length < HEAD_BYTES || bytes.readUInt8(0) !== VERSION) throw damaged();
    const ivAt = HEAD_BYTES + bytes.readUInt16BE(1);
    const tagAt = ivAt + IV_BYTES;
    const bodyAt = tagAt + TAG_BYTES;
    if (bytes.length < bodyAt) throw damaged();
    const { HUB_DATA_KEY_ID: KeyId } = capability('encryption');
    const { Plaintext: key } = await kms().send(
      new DecryptCommand({
        KeyId,
        CiphertextBlob: bytes.subarray(HEAD_BYTES, ivAt),
        EncryptionContext: { ...context },
      }),
    );
    if (!key) throw new Error('KMS opened no data key');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(ivAt, tagAt));
    decipher.setAAD(authenticated(context)).setAuthTag(bytes.subarray(tagAt, bodyAt));
    const text = Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]).toString('utf8');
    key.fill(0);
    return text;
  },
});
