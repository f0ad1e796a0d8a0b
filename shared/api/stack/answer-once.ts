import type { Runtime } from '../../runtime.ts';
import { type Answer, answerToError } from '../answer.ts';
import { declaring } from '../declared-errors.ts';
import { HubError } from '../errors.ts';
import type { Claim, Repeat } from '../idempotent.ts';
import type { Operation } from '../operation.ts';
import { identity } from './authenticate-caller.ts';
import type { Middleware, Passing } from './middleware.ts';
import { opened } from './open-call.ts';
import { sentBody } from './parse-body.ts';
import { Slot } from './slot.ts';
import { validRequest } from './validate-input.ts';

/** Kept answer to the first request with the same Idempotency-Key. */
export const replay = new Slot<Answer>('the kept answer');

/** Idempotency-Key that the request claimed and has not settled. */
const claimed = new Slot<Claim | 'settled'>('the claim');

const alreadyShown = (): HubError =>
  new HubError('answer_shown_once', 'The answer to this request holds a secret, which is shown once.');

/**
 * Lets a POST take effect at most once per Idempotency-Key. A repeat gets the kept answer of the first request if the
 * caller may call the operation now. A refusal or a fault releases the key.
 */
export const answerOnce = (operation: Operation, runtime: Runtime): Middleware => {
  /** Refuses a caller who may not call the operation now, or who does not meet the terms of a kept answer. */
  const admit = async (event: Passing['event'], { terms }: Repeat): Promise<void> => {
    const { session, user } = identity.get(event);
    const isTokenEnough = !operation.errors.includes('platform_token_insufficient');
    const { requireTerms } = await import('../repeat-terms.ts');
    await declaring(operation, async () => {
      await requireTerms(runtime, { session, isTokenEnough }, terms);
      // A user_id is no credential any more once its user is gone.
      if (operation.caller === 'user') await user();
      await validRequest.get(event).bound.recheck(opened.get(event).call);
    });
  };

  /** Keeps an answer for repeats, or releases the key without one. */
  const settle = async (event: Passing['event'], answer: Answer | undefined): Promise<void> => {
    const claim = claimed.find(event);
    if (!claim || claim === 'settled') return;
    claimed.set(event, 'settled');
    const [{ settleClaim }, { termsOf }] = await Promise.all([
      import('../idempotent.ts'),
      import('../repeat-terms.ts'),
    ]);
    const { isShownOnce, tied } = opened.get(event);
    const shown =
      answer?.statusCode === 200 && isShownOnce
        ? answerToError(alreadyShown(), event.requestContext.requestId)
        : answer;
    // Keeps the refusal of repeats like the answer that it replaces.
    const isFinal = answer !== undefined && answer.statusCode < 400;
    const terms = termsOf(identity.get(event).session, tied);
    await settleClaim(runtime, claim, isFinal && shown ? { answer: shown, terms } : undefined);
  };

  return {
    before: async ({ event }) => {
      const { presented, now, bound } = validRequest.get(event);
      const key = presented.headers['idempotency-key'];
      if (!operation.keepsAnswers || key === undefined || bound.storesNothing) return;
      const { session, confirm } = identity.get(event);
      await confirm();
      // Few requests have a key, so a cold start does not load the code.
      const [{ scopeOf }, { claimRequest }, { wantsListForm }] = await Promise.all([
        import('../idempotency-scope.ts'),
        import('../idempotent.ts'),
        import('../page-answer.ts'),
      ]);
      // Tokens may change between repeats of a request, so they are not part of it; the scope may hold them.
      const request = [operation.routeKey, event.rawQueryString, sentBody.get(event).text];
      // The same key with another form of a list is another request, as the first answer cannot be replayed for it.
      const { accept } = presented.headers;
      if (operation.isPaged && wantsListForm(accept)) request.push(accept);
      const keyId = session?.kind === 'api_key' ? session.sid : undefined;
      const scope = scopeOf(operation, { request, presented, userId: session?.userId, keyId });
      const result = await claimRequest(runtime, { key, scope, request, now });
      if ('claim' in result) claimed.set(event, result.claim);
      else {
        await admit(event, result.repeat);
        replay.set(event, result.repeat.answer);
      }
    },
    after: ({ event, response }) => settle(event, response ?? undefined),
    onError: ({ event }) => settle(event, undefined),
  };
};
