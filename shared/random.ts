import { randomBytes } from 'node:crypto';

/** Bytes drawn at once. To draw 16 takes as long as to draw these. */
const DRAWN_BYTES = 1024;
/** Most bytes that are handed out of drawn ones: those of an identifier. Secrets are longer. */
const SHORT_BYTES = 16;

/** Creates a source of random bytes from the system, which draws those of identifiers ahead. Gives no byte twice. */
export const createRandom = (): ((bytes: number) => Buffer) => {
  let drawn = Buffer.alloc(0);
  return (bytes) => {
    if (bytes > SHORT_BYTES) return randomBytes(bytes);
    if (drawn.length < bytes) drawn = randomBytes(DRAWN_BYTES);
    const given = drawn.subarray(0, bytes);
    drawn = drawn.subarray(bytes);
    return given;
  };
};
