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
  terms: repeatTerms,
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

/** Do not store larger answers: an item of DynamoDB has at most 400 KB. */
const MAX_STORED_BYTES = 350_000;

interface Asked {
  readonly key: string;
  /** Operation and caller that the key belongs to. */
  readonly scope: string;
  /** The parts that identify the request. */
  readonly request: readonly string[];
  readonly now: Date;
}

/** Idempotency-Key that belongs to a request in flight. */
export interface Claim {
  readonly key: string;
  readonly scope: string;
  /** Seals the answer; undefined without keys. */
  readonly secret: Buffer | undefined;
}

/** Answer to the first request with a key, and the terms on which it is repeated. */
export interface Repeat {
  readonly answer: Answer;
  readonly terms: RepeatTerms;
}

/**
 * Claims an Idempotency-Key for a request, or returns the kept answer of the first one.
 *
 * @throws ValidationError if the key is malformed or was used with another request
 * @throws HubError request_in_flight
 */
export const claimRequest = async (
  runtime: Runtime,
  { key, scope, request, now }: Asked,
): Promise<{ readonly claim: Claim } | { readonly repeat: Repeat }> => {
  if (!KEY.test(key)) throw keyError('use 1 to 255 visible ASCII characters');
  const secrets = await secretsOf(runtime, key);
  const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest('base64url');
  const claim = await claimKey(runtime.store, { scope, key, request: fingerprint, now });
  switch (claim.state) {
    case 'answered': {
      const { terms, ...answer } = open(claim.answer, secrets);
      const headers = { ...answer.headers, 'idempotent-replayed': 'true' };
      return { repeat: { answer: { ...answer, headers }, terms } };
    }
    case 'other_request':
      throw keyError('this key was used with another request');
    case 'in_flight':
      throw new HubError(
        'request_in_flight',
        'A request with this Idempotency-Key is still being answered.',
        { retryAfterS: (claim.until - now.getTime()) / 1000 },
      );
    case 'mine':
      return { claim: { key, scope, secret: secrets[0] } };
    default:
      return claim satisfies never;
  }
};

/**
 * Keeps the answer to a request for 24 hours, or releases the key without one. Logs a failure and does not throw: the
 * request has taken effect, so only the replay is lost.
 */
export const settleClaim = async (
  { store, random, log }: Runtime,
  { key, scope, secret }: Claim,
  kept: Repeat | undefined,
): Promise<void> => {
  try {
    const sealed = kept && secret && seal({ ...kept.answer, terms: kept.terms }, secret, random);
    if (sealed && sealed.length <= MAX_STORED_BYTES) await storeAnswer(store, { scope, key, answer: sealed });
    else await releaseKey(store, scope, key);
  } catch (error) {
    log.error('an idempotent answer could not be kept', describeError(error));
  }
};
