import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import * as z from 'zod';
import { claimKey, releaseKey, storeAnswer } from '../data/table/idempotency.ts';
import type { Runtime } from '../runtime.ts';
import type { Answer } from './answer.ts';
import { HubError, ValidationError } from './errors.ts';
import { describeError } from './redact.ts';
import { type RepeatTerms, repeatTerms } from './repeat-terms.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
const IV_LENGTH = 12;
const TAG_LENGTH = 16;

const answerSchema = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  cookies: z.array(z.string()),
  body: z.string(),
  isBase64Encoded: z.boolean(),
  /** Absent from an earlier version. */
  terms: repeatTerms.default({ proof: 'none' }),
});

type KeptAnswer = z.output<typeof answerSchema>;

const keyError = (msg: string): ValidationError =>
  new ValidationError([{ loc: ['header', 'idempotency-key'], msg, type: 'value_error.idempotency_key' }]);

/**
 * Derives the keys that seal stored answers, as answers hold tokens and the table must not. Opening an answer needs
 * the client's Idempotency-Key; the table holds only its digest.
 */
const secretsOf = async (runtime: Runtime, key: string): Promise<Buffer[]> =>
  (await runtime.keyRing()).macs('idempotency', key);

const seal = (answer: KeptAnswer, secret: Buffer, random: (bytes: number) => Buffer): Buffer => {
  const iv = random(IV_LENGTH);
  const cipher = createCipheriv('aes-256-gcm', secret, iv);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
};

const openWith = (sealed: Uint8Array, secret: Buffer): KeptAnswer => {
  const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, IV_LENGTH));
  decipher.setAuthTag(sealed.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH));
  const text = Buffer.concat([decipher.update(sealed.subarray(IV_LENGTH + TAG_LENGTH)), decipher.final()]);
  return answerSchema.parse(JSON.parse(text.toString('utf8')));
};

/** Tries every key, as the answer may have been sealed before the last key rotation. */
const open = (sealed: Uint8Array, secrets: readonly Buffer[]): KeptAnswer => {
  const failures: unknown[] = [];
  for (const secret of secrets) {
    try {
      return openWith(sealed, secret);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, 'a stored answer cannot be opened');
};

/** Tells whether to store an answer. A refusal changed nothing, and its cause may end: the key may try again. */
const isFinal = ({ statusCode }: Answer): boolean => statusCode < 400;

/** Do not store larger answers: an item of DynamoDB has at most 400 KB. */
const MAX_STORED_BYTES = 350_000;

interface Asked {
  readonly key: string;
  /** Operation and caller that the key belongs to. */
  readonly scope: string;
  /** The parts that identify the request. */
  readonly request: readonly string[];
  readonly now: Date;
  /** Returns the answer to store for repeats of the request. */
  readonly kept: (answer: Answer) => Answer;
  /** Returns the terms of a repeat, after the request has run. */
  readonly terms: () => RepeatTerms;
  /** Refuses a caller who may not call the operation now, or who does not meet the terms of a kept answer. */
  readonly admit: (terms: RepeatTerms) => Promise<void>;
}

/**
 * Stores an answer, or releases the key. Logs a failure and does not throw: the request has taken effect, so only the
 * replay is lost.
 */
const settle = async (
  runtime: Runtime,
  { scope, key, kept: keep, terms }: Pick<Asked, 'scope' | 'key' | 'kept' | 'terms'>,
  answer: Answer | undefined,
  secret: Buffer | undefined,
): Promise<void> => {
  try {
    const kept =
      answer && secret && isFinal(answer)
        ? seal({ ...keep(answer), terms: terms() }, secret, runtime.random)
        : undefined;
    if (kept && kept.length <= MAX_STORED_BYTES)
      await storeAnswer(runtime.store, { scope, key, answer: kept });
    else await releaseKey(runtime.store, scope, key);
  } catch (error) {
    runtime.log.error('an idempotent answer could not be kept', describeError(error));
  }
};

/**
 * Lets a POST take effect at most once per Idempotency-Key. For 24 hours after it did, a repeat of the request gets the
 * first answer, and another request with the same key gets 422. A repeat while the first request is in flight gets 409.
 * The first answer goes only to a caller who may call the operation now. A refusal is not kept.
 */
export const answerOnce = async (
  runtime: Runtime,
  { key, scope, request, now, kept, terms, admit }: Asked,
  run: () => Promise<Answer>,
): Promise<Answer> => {
  if (!KEY.test(key)) throw keyError('use 1 to 255 visible ASCII characters');
  const secrets = await secretsOf(runtime, key);
  const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest('base64url');
  const claim = await claimKey(runtime.store, { scope, key, request: fingerprint, now });
  switch (claim.state) {
    case 'answered': {
      const { terms: agreed, ...answer } = open(claim.answer, secrets);
      await admit(agreed);
      return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
    }
    case 'other_request':
      throw keyError('this key was used with another request');
    case 'in_flight':
      throw new HubError(
        'request_in_flight',
        'A request with this Idempotency-Key is still being answered.',
        {
          retryAfterS: (claim.until - now.getTime()) / 1000,
        },
      );
    case 'mine': {
      let answer: Answer | undefined;
      try {
        answer = await run();
        return answer;
      } finally {
        await settle(runtime, { scope, key, kept, terms }, answer, secrets[0]);
      }
    }
    default:
      return claim satisfies never;
  }
};
