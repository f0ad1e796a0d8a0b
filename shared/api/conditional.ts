import { createHash } from 'node:crypto';
import type { Answer } from './answer.ts';

const DIGEST_LENGTH = 22;

/** Returns a strong entity tag of the bytes. */
const etagOf = ({ body, isBase64Encoded }: Answer): string => {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, DIGEST_LENGTH)}"`;
};

/** Tells whether If-None-Match has the tag. Compares weakly, as proxies that compress make a tag weak. */
export const isHeld = (etag: string, ifNoneMatch = ''): boolean => {
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return ifNoneMatch
    .split(',')
    .map(opaque)
    .some((held) => held === '*' || held === opaque(etag));
};

/** Adds Cache-Control and an ETag to an answer with status 200, and leaves out the body if the client has it. */
export const conditional = (answer: Answer, cache: string, ifNoneMatch: string | undefined): Answer => {
  const etag = etagOf(answer);
  // The gateway adds CORS headers, which differ by origin.
  const vary = [answer.headers.vary, 'origin'].filter(Boolean).join(', ');
  const headers = { ...answer.headers, 'cache-control': cache, etag, vary };
  return isHeld(etag, ifNoneMatch)
    ? { ...answer, statusCode: 304, headers, body: '', isBase64Encoded: false }
    : { ...answer, headers };
};
