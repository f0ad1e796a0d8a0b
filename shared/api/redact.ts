import { types } from 'node:util';
import type { ApiEvent } from './request.ts';
import { bodyText } from './request.ts';

/** Shorter values would turn an error message into holes; no secret of ours is that short. */
const SHORTEST = 4;

const leaves = (value: unknown, found: Set<string>): void => {
  if (typeof value === 'string' || typeof value === 'number') found.add(String(value));
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) leaves(inner, found);
};

const valuesOf = (event: ApiEvent): Set<string> => {
  const found = new Set<string>([event.rawQueryString, event.rawPath]);
  leaves(event.pathParameters, found);
  leaves(event.headers, found);
  leaves(event.cookies, found);
  leaves(event.body, found);
  for (const [name, value] of new URLSearchParams(event.rawQueryString)) found.add(name).add(value);
  for (const [name, value] of new URLSearchParams(bodyText(event) ?? '')) found.add(name).add(value);
  return found;
};

/** What a log may say of an unexpected error: its name, stack and message without any value of the request. */
export const describeError = (error: unknown, event: ApiEvent): Record<string, unknown> => {
  if (!types.isNativeError(error)) return { error_name: typeof error };
  let text = error.stack ?? error.message;
  const values = [...valuesOf(event)]
    .filter((value) => value.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  for (const value of values) text = text.replaceAll(value, '…');
  const { cause } = error;
  return {
    error_name: error.name,
    error_stack: text,
    ...(cause !== undefined && { cause: describeError(cause, event) }),
  };
};
