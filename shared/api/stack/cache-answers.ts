import type { Operation } from '../operation.ts';
import type { Middleware } from './middleware.ts';

/** Adds Cache-Control and an ETag to answers of cached operations, and answers 304 to a client that has the bytes. */
export const cacheAnswers = ({ cache }: Operation): Middleware => ({
  after: async (request) => {
    const { event, response } = request;
    if (cache === undefined || response?.statusCode !== 200) return;
    // Few operations are cached, so a cold start of others does not load the code.
    const { conditional } = await import('../conditional.ts');
    request.response = conditional(response, cache, event.headers['if-none-match']);
  },
});
