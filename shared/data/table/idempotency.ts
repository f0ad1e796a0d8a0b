import * as z from 'zod';
import { keys } from './keys.ts';
import { parseItem } from './parse-item.ts';
import { ConditionFailedError, type Store } from './store.ts';

const KEEP_S = 24 * 3600;
/** Longer than any request may run. An unanswered request older than this is assumed to have crashed. */
const IN_FLIGHT_MS = 35_000;

const recordSchema = z.object({
  request_fingerprint: z.string(),
  /** Absent until the first request is answered. */
  answer: z.instanceof(Uint8Array).optional(),
  in_flight_until: z.number(),
  expires_at_s: z.number(),
});

/** Result of claiming an idempotency key; `mine`: this request holds the key and must store an answer or release it. */
export type Claim =
  | { readonly state: 'mine' }
  | { readonly state: 'answered'; readonly answer: Uint8Array }
  | { readonly state: 'in_flight'; readonly until: number }
  | { readonly state: 'other_request' };

/**
 * Claims an idempotency key for a request.
 *
 * @param scope separates the keys of different callers.
 * @param request fingerprint of the request.
 * @returns `mine` if the key was free; else the stored answer, or why there is none.
 */
export const claimKey = async (
  store: Store,
  { scope, key, request, now }: { scope: string; key: string; request: string; now: Date },
): Promise<Claim> => {
  const nowS = Math.floor(now.getTime() / 1000);
  try {
    await store.put(
      {
        ...keys.idempotency(scope, key),
        entity: 'idempotency',
        request_fingerprint: request,
        in_flight_until: now.getTime() + IN_FLIGHT_MS,
        expires_at_s: nowS + KEEP_S,
      },
      {
        condition:
          'attribute_not_exists(pk) OR expires_at_s <= :nowS OR (attribute_not_exists(answer) AND in_flight_until <= :now AND request_fingerprint = :request)',
        values: { ':nowS': nowS, ':now': now.getTime(), ':request': request },
      },
    );
    return { state: 'mine' };
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    const held = parseItem(recordSchema, error.item ?? {});
    if (held.request_fingerprint !== request) return { state: 'other_request' };
    return held.answer
      ? { state: 'answered', answer: held.answer }
      : { state: 'in_flight', until: held.in_flight_until };
  }
};

/** Stores the sealed answer of a claimed request for 24 hours. */
export const storeAnswer = async (
  store: Store,
  { scope, key, answer }: { scope: string; key: string; answer: Uint8Array },
): Promise<void> => {
  await store.update(
    keys.idempotency(scope, key),
    { update: 'SET answer = :answer', condition: 'attribute_exists(pk)', values: { ':answer': answer } },
    recordSchema,
  );
};

/** Releases a claimed key after a request without effect, so that the client can retry with it. */
export const releaseKey = (store: Store, scope: string, key: string): Promise<void> =>
  store.delete(keys.idempotency(scope, key));
