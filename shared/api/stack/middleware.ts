import type { Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Answer } from '../answer.ts';
import type { ApiEvent } from '../api-event.ts';

/** Request on its way through the stack. */
export type Passing = Request<ApiEvent, Answer, Error, Context>;

type Step = (request: Passing) => void | Promise<void>;

/**
 * Step of the stack. `before` runs on the way in, `after` and `onError` on the way out, in reverse order. An `onError`
 * must not throw: it replaces `request.error` or sets `request.response`.
 */
export interface Middleware {
  readonly before?: Step;
  readonly after?: Step;
  readonly onError?: Step;
}

/** Changes every answer on its way out, whether the request succeeded or failed. */
export const onAnswer = (
  change: (answer: Answer, request: Passing) => Answer | Promise<Answer>,
): Middleware => {
  const step = async (request: Passing): Promise<void> => {
    if (request.response) request.response = await change(request.response, request);
  };
  return { after: step, onError: step };
};
