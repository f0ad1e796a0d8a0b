import type { Units } from './units.ts';

/**
 * Measured on the embedded engine, which counts as DynamoDB does (`npm run costs -- --measure`); the searches
 * by `npm run bench:search` among 20,000 strategies and instruments. A message without a mail is a push, an
 * analytics event or a request to an adapter.
 */
export const REQUEST_UNITS = {
  register: { calls: 3, read: 0.5, write: 12 },
  'confirm the e-mail': { calls: 4, read: 4, write: 11 },
  'sign in': { calls: 3, read: 3, write: 8 },
  'check a session': { calls: 1, read: 1, write: 0 },
  'renew a session': { calls: 1, read: 0, write: 1 },
  'ask for a code': { calls: 3, read: 4, write: 7 },
  'page of the catalogue': { calls: 2, read: 6, write: 0 },
  'own strategies': { calls: 3, read: 22, write: 0 },
  'page of notifications': { calls: 2, read: 3, write: 0 },
  'search strategies': { calls: 3, read: 38.5, write: 0 },
  'suggest instruments': { calls: 3, read: 8.5, write: 0 },
  'build a strategy': { calls: 3, read: 1.5, write: 8 },
  'publish a strategy': { calls: 3, read: 4, write: 66 },
  like: { calls: 2, read: 5, write: 12 },
  'deploy as notifications': { calls: 3, read: 7, write: 23 },
  'signal of an engine, with a mail': { calls: 3, read: 5, write: 11 },
  'delivery of a mail': { calls: 2, read: 0, write: 5 },
  'delivery of a message': { calls: 2, read: 0, write: 5 },
  'signal of an engine, with a listener': { calls: 3, read: 5, write: 11 },
  'move of its event into the log': { calls: 4, read: 6, write: 7 },
  'the same, with a webhook': { calls: 4, read: 6, write: 10 },
  'delivery of a webhook': { calls: 3, read: 2, write: 5 },
  'page of change events': { calls: 2, read: 5, write: 0 },
} as const satisfies Record<string, Units>;

export type RequestKind = keyof typeof REQUEST_UNITS;
