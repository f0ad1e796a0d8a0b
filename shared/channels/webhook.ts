import { isIP } from 'node:net';
import * as z from 'zod';
import { ForbiddenAddressError, guardedPost, isWithin, type Reach } from './guarded-post.ts';
import { retryAfterMs } from './retry-after.ts';

/** Answer of an endpoint to an event, or the reason why there is none. */
export interface WebhookAnswer {
  /** True for a status of 200 to 299. */
  readonly accepted: boolean;
  /** Absent without an answer. */
  readonly status?: number;
  readonly durationMs: number;
  /** Describes a failure without the address. */
  readonly reason?: string;
  /** Time that the endpoint asks to wait. */
  readonly afterMs?: number;
}

const MAX_URL = 500;

/**
 * Parses the address of an endpoint; undefined if it is not allowed: public ones need https. Names are checked again
 * when a connection is made, as they may lead elsewhere by then.
 */
export const webhookUrl = (text: string, reach: Reach): URL | undefined => {
  if (text.length > MAX_URL || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:' && (reach !== 'loopback' || url.protocol !== 'http:')) return undefined;
  // Secrets belong into the signature, and fragments are never sent.
  if (url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(hostname) !== 0 && !isWithin(reach, hostname)) return undefined;
  return url;
};

const textOf = (error: unknown, field: 'name' | 'code'): string => {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
  return typeof value === 'string' ? value : '';
};

/** Names a failure of a connection by its code, such as `ENOTFOUND` or `CERT_HAS_EXPIRED`. */
const failureOf = (error: unknown): string => {
  if (error instanceof ForbiddenAddressError) return error.message;
  if (textOf(error, 'name') === 'TimeoutError' || textOf(error, 'name') === 'AbortError') {
    return 'no answer in time';
  }
  const code = textOf(error, 'code');
  return /^[A-Z][A-Z0-9_]*$/.test(code) ? `not reached: ${code}` : 'not reached';
};

/** Bytes of an answer to a challenge that are read. A longer answer is no text of a challenge. */
const CHALLENGE_BYTES = 1024;

const challengeAnswer = z.strictObject({ challenge: z.string() });

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The answer may be plain text.
  }
};

/**
 * Tells whether an answer is the text of a challenge: alone, or as `{"challenge": …}`. Servers that echo whole requests do not
 * pass, so that nobody can register those.
 */
const answersChallenge = (answer: string, challenge: string): boolean =>
  Buffer.byteLength(answer) < CHALLENGE_BYTES &&
  (answer.trim() === challenge ||
    challengeAnswer.safeParse(parsedJson(answer)).data?.challenge === challenge);

interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly reach: Reach;
  readonly patienceMs: number;
  readonly clock: () => Date;
  /** Text that the answer must hold. */
  readonly challenge?: string | undefined;
}

/** Posts an event to an endpoint. Follows no redirect, and reads the body of the answer to a challenge only. Never throws. */
export const postWebhook = async ({
  url: text,
  headers,
  body,
  reach,
  patienceMs,
  clock,
  challenge,
}: WebhookPost): Promise<WebhookAnswer> => {
  const begin = performance.now();
  const durationOf = (): number => Math.round(performance.now() - begin);
  const url = webhookUrl(text, reach);
  if (!url) return { accepted: false, durationMs: 0, reason: new ForbiddenAddressError().message };
  try {
    const {
      status,
      retryAfter,
      text: answer,
    } = await guardedPost({
      url,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'StrategyHub-Webhooks/1' },
      body: Buffer.from(body),
      reach,
      patienceMs,
      ...(challenge !== undefined && { readBytes: CHALLENGE_BYTES }),
    });
    const afterMs = retryAfterMs(retryAfter, clock());
    const isOk = status >= 200 && status < 300;
    const accepted = isOk && (challenge === undefined || answersChallenge(answer, challenge));
    return {
      accepted,
      status,
      durationMs: durationOf(),
      ...(!accepted && { reason: isOk ? 'answered without the challenge' : `answered ${status}` }),
      ...(!accepted && afterMs !== undefined && { afterMs }),
    };
  } catch (error) {
    return { accepted: false, durationMs: durationOf(), reason: failureOf(error) };
  }
};
