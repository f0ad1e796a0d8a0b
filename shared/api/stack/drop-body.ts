import { type Middleware, onAnswer } from './middleware.ts';

/** Leaves the body out of answers to HEAD, after the headers that depend on it were made. */
export const dropBody = (): Middleware =>
  onAnswer((answer, { event }) =>
    event.requestContext.http.method === 'HEAD' ? { ...answer, body: '', isBase64Encoded: false } : answer,
  );
