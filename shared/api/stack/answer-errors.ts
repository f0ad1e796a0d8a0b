import { answerToError } from '../answer.ts';
import { explainContentType } from '../content-type.ts';
import { HubError, ValidationError } from '../errors.ts';
import type { Operation } from '../operation.ts';
import type { Middleware } from './middleware.ts';
import { opened } from './open-call.ts';
import { sentBody } from './parse-body.ts';

const isJsonParserError = (error: unknown): boolean => {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return (
    typeof cause === 'object' &&
    cause !== null &&
    'package' in cause &&
    cause.package === '@middy/http-json-body-parser'
  );
};

/** Converts errors to answers. A refusal may set cookies, a fault may not. */
export const answerErrors = (operation: Operation): Middleware => ({
  onError: async (request) => {
    const { event } = request;
    if (isJsonParserError(request.error)) {
      // Few bodies are malformed, so a cold start does not load the code that tells the position.
      const { jsonFault } = await import('../json-fault.ts');
      request.error = jsonFault(sentBody.get(event).text);
    }
    const { error } = request;
    const shown =
      error instanceof ValidationError
        ? explainContentType(operation, event, { sent: sentBody.find(event), error })
        : error;
    const answer = answerToError(shown, event.requestContext.requestId);
    const isRefusal = error instanceof HubError || error instanceof ValidationError;
    request.response = isRefusal ? { ...answer, cookies: [...(opened.find(event)?.cookies ?? [])] } : answer;
  },
});
