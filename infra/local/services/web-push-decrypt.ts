import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto';

/** A browser's part of a subscription: its key pair and the secret shared with the sender. */
export interface Receiver {
  readonly keys: ECDH;
  readonly auth: Buffer;
}

const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** Length of the salt, the record size and the length of the key id (RFC 8188, section 2.1). */
const HEADER_BYTES = SALT_BYTES + 4 + 1;
const LAST_RECORD = 2;

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

/**
 * Decrypts a web push message (RFC 8291, with the content coding aes128gcm of RFC 8188).
 *
 * @throws Error for a message to another receiver, a malformed one, or one with several records, which RFC 8291 forbids.
 */
export const decryptWebPush = ({ keys, auth }: Receiver, message: Buffer): Buffer => {
  const salt = message.subarray(0, SALT_BYTES);
  const recordSize = message.readUInt32BE(SALT_BYTES);
  const senderKey = message.subarray(HEADER_BYTES, HEADER_BYTES + message.readUInt8(HEADER_BYTES - 1));
  const record = message.subarray(HEADER_BYTES + senderKey.length);
  if (record.length > recordSize || record.length <= TAG_BYTES)
    throw new Error('the message is not one record');

  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey]);
  const input = derive(keys.computeSecret(senderKey), auth, keyInfo, 32);
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12);

  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== LAST_RECORD) throw new Error('the record is not the last one');
  return padded.subarray(0, end);
};
