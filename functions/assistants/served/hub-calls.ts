import * as z from 'zod';
import type { BoundedInit } from '../../../shared/channels/bounded-fetch.ts';
import { ASSISTANT_SCOPES, narrowed } from '../../../shared/domain/scopes.ts';
import type { HubAnswer } from '../answers/hub-answer.ts';
import type { Tool } from '../catalogue/tool.ts';

/**
 * Returns the scopes that calls of an assistant may use at most, whatever its key allows: no real orders, no settings.
 *
 * @param asked scopes to which the caller narrows its calls, separated by blanks
 */
export const mostScopes = (asked?: string): string => {
  const most = asked === undefined ? ASSISTANT_SCOPES : narrowed(ASSISTANT_SCOPES, asked);
  // An empty field can get lost on its way, and would narrow nothing then.
  return most.join(' ') || 'none';
};

/** Most time that an assistant waits for the hub, below the time limit of a function. */
export const TIMEOUT_MS = 18_000;

/** Largest answer of a function. */
const MAX_ANSWER_BYTES = 6 * 1024 * 1024;

/** Access to a hub with the key of a caller. */
export interface HubAccess {
  /** Address of the hub without a trailing slash. */
  readonly address: string;
  readonly key: string;
  /** Value of {@link mostScopes}. */
  readonly most: string;
  readonly send: (url: string, init: BoundedInit) => Promise<Response>;
  /** Ends all calls for one message; without it, each has its own time. */
  readonly deadline?: AbortSignal;
}

interface HubRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body?: URLSearchParams | string;
}

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Sends a request to the hub. A hub that cannot be reached in time counts as one that answers 503. */
export const callHub = async (access: HubAccess, request: HubRequest): Promise<HubAnswer> => {
  const { address, key, most, send, deadline = AbortSignal.timeout(TIMEOUT_MS) } = access;
  const { method, path, query, body } = request;
  const search = query.size === 0 ? '' : `?${query}`;
  try {
    const response = await send(`${address}${path}${search}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        'hub-scopes': most,
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      signal: deadline,
      maxBytes: MAX_ANSWER_BYTES,
    });
    const retryAfterS = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      status: response.status,
      body: json(await response.text()),
      retryAfterS: Number.isFinite(retryAfterS) ? retryAfterS : undefined,
    };
  } catch {
    return {
      status: 503,
      body: { code: 'unavailable', detail: 'The hub did not answer in time.' },
      retryAfterS: 5,
    };
  }
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const picked = (args: Readonly<Record<string, unknown>>, names: readonly string[]): [string, unknown][] =>
  names.flatMap((name): [string, unknown][] => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return value === undefined || value === null ? [] : [[name, value]];
  });

const params = (pairs: readonly (readonly [string, unknown])[]): URLSearchParams =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, textOf(value)]));

/** Returns the request of an operation for the arguments of its tool. */
export const requestOf = ({ request }: Tool, args: Readonly<Record<string, unknown>>): HubRequest => {
  const { method, path, named, fixed } = request;
  const caller =
    named === 'user'
      ? [['user_id', 'me'] as const]
      : named === 'strategy'
        ? [['keygen', `strategy:${textOf(args.strategy_id)}`] as const]
        : [];
  const query = params([
    ...caller,
    ...picked(
      args,
      request.query.filter((name) => named !== 'strategy' || name !== 'strategy_id'),
    ),
  ]);
  const fixedPairs = Object.entries(fixed);
  if (request.json.length > 0) {
    const fields = request.json.filter((name) => Object.hasOwn(args, name) && args[name] !== undefined);
    const body = JSON.stringify({
      ...Object.fromEntries(fields.map((name) => [name, args[name]])),
      ...fixed,
    });
    return { method, path, query, body };
  }
  if (request.form.length > 0 || fixedPairs.length > 0) {
    return { method, path, query, body: params([...picked(args, request.form), ...fixedPairs]) };
  }
  return { method, path, query };
};

const accessOut = z.object({ scopes: z.array(z.string()), by_oauth: z.boolean() });

/** Result of asking the hub about a key. */
export type KeyAccess =
  | { readonly scopes: readonly string[]; readonly canAskForMore: boolean }
  | { readonly refusal: HubAnswer };

/** Asks the hub for the scopes of the caller's key. */
export const readAccess = async (access: HubAccess): Promise<KeyAccess> => {
  const query = new URLSearchParams({ user_id: 'me' });
  const answer = await callHub(access, { method: 'GET', path: '/get_own_access', query });
  const known = answer.status === 200 ? accessOut.safeParse(answer.body) : undefined;
  return known?.success
    ? { scopes: known.data.scopes, canAskForMore: known.data.by_oauth }
    : { refusal: answer };
};
