import * as z from 'zod';
import { boundedFetch } from '../bounded-fetch.ts';
import { retryAfterMs } from '../retry-after.ts';
import {
  type Answer,
  isAccessRefused,
  isDuplicate,
  isOk,
  isUnchanged,
  refusedExit,
  refusedOrder,
} from './alpaca-answers.ts';
import { exitBodyOf, moveBodyOf, orderBodyOf } from './alpaca-bodies.ts';
import { alpacaAccount, alpacaOrder, alpacaPosition, alpacaPositions } from './alpaca-fields.ts';
import type { ExecutionAdapter } from './execution-adapter.ts';
import {
  AccessRefusedError,
  type BrokerKeys,
  BrokerLaterError,
  type BrokerOrder,
  DuplicateOrderError,
  type ExecutionBroker,
  type OrderRefusedError,
  OutcomeUnknownError,
  UnreadableAnswerError,
} from './execution-broker.ts';

interface AlpacaOptions extends BrokerKeys {
  /** Base address of the Trading API: that of paper accounts or of live ones. */
  readonly url: string;
  readonly clock: () => Date;
  readonly patienceMs?: number;
}

/** Time limit of a call, including the body. */
const EXECUTION_PATIENCE_MS = 5_000;
/** 500 orders, the most of a page, have about 600 KB, and 3 MB if the owner's have four legs each. */
const MAX_LIST_BYTES = 8 * 1024 * 1024;
const PAGE_ORDERS = 500;
/** Pages of a listing. An account with more open orders is listed in part. */
const MAX_PAGES = 10;

/** Status of a request that may have arrived all the same. */
const TIMED_OUT = 408;

interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Page of orders of anybody. Only their ids and the times of submission, by which they are paged, are judged. */
const listed = z.array(
  z
    .looseObject({ client_order_id: z.string(), submitted_at: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
);

/** Returns the time until the limit of requests begins again. */
const untilReset = (headers: Headers, now: Date): number | undefined => {
  const wait = Number(headers.get('x-ratelimit-reset') ?? Number.NaN) * 1000 - now.getTime();
  return wait > 0 ? wait : undefined;
};

/** Throws for the statuses that mean the same for every call. */
const requireAccess = (answer: Answer): void => {
  if (isAccessRefused(answer)) throw new AccessRefusedError(answer.status);
};

/** Trading API v2 of Alpaca: shares of the United States and crypto assets. Neither errors nor logs hold the keys. */
const alpacaBroker = ({
  url,
  keyId,
  secret,
  clock,
  patienceMs = EXECUTION_PATIENCE_MS,
}: AlpacaOptions): ExecutionBroker => {
  /** Sends a call. @throws BrokerLaterError for limited requests; the error of `lost` without a complete answer. */
  const send = async (
    { method, path, query, body }: Call,
    lost: (reason: string) => Error,
  ): Promise<Answer> => {
    const address = new URL(path, url);
    address.search = new URLSearchParams(query).toString();
    const signal = AbortSignal.timeout(patienceMs);
    const response = await boundedFetch(address, {
      method,
      headers: {
        accept: 'application/json',
        'apca-api-key-id': keyId,
        'apca-api-secret-key': secret,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
      maxBytes: MAX_LIST_BYTES,
    }).catch(() => {
      throw lost(signal.aborted ? `no answer within ${patienceMs} ms` : 'no complete answer');
    });
    const { status, headers } = response;
    if (status === 429) {
      const now = clock();
      throw new BrokerLaterError(
        'status 429',
        retryAfterMs(headers.get('retry-after'), now) ?? untilReset(headers, now),
      );
    }
    if (status >= 500 || status === TIMED_OUT) {
      const wait = retryAfterMs(headers.get('retry-after'), clock());
      const error = lost(`status ${status}`);
      throw error instanceof BrokerLaterError ? new BrokerLaterError(`status ${status}`, wait) : error;
    }
    const text = await response.text();
    try {
      return { status, body: text === '' ? undefined : JSON.parse(text) };
    } catch {
      if (status < 300) throw lost('the answer is not JSON');
      return { status, body: undefined };
    }
  };

  const later = (reason: string): Error => new BrokerLaterError(reason);
  const unreadable = (reason: string): Error => new UnreadableAnswerError(reason);

  const parse = <S extends z.ZodType>(
    schema: S,
    body: unknown,
    lost: (reason: string) => Error,
  ): z.output<S> => {
    const { data, success } = schema.safeParse(body);
    if (!success) throw lost('the answer is not of the documented form');
    return data;
  };

  const read = async <S extends z.ZodType>(
    schema: S,
    call: Omit<Call, 'method'>,
  ): Promise<z.output<S> | undefined> => {
    const answer = await send({ method: 'GET', ...call }, later);
    requireAccess(answer);
    if (answer.status === 404) return undefined;
    if (!isOk(answer)) throw unreadable(`status ${answer.status}`);
    return parse(schema, answer.body, unreadable);
  };

  const orderPath = (brokerOrderId: string): string => `/v2/orders/${encodeURIComponent(brokerOrderId)}`;

  const findByBrokerId = (brokerOrderId: string): Promise<BrokerOrder | undefined> =>
    read(alpacaOrder, { path: orderPath(brokerOrderId), query: { nested: 'true' } });

  /** Reads the further orders of an OCO, which only a lookup by its own id names. */
  const withLegs = async (
    order: z.output<typeof alpacaOrder> | undefined,
  ): Promise<BrokerOrder | undefined> =>
    order?.isNested && order.legs.length === 0
      ? ((await findByBrokerId(order.brokerOrderId)) ?? order)
      : order;

  const findOrder = async (clientOrderId: string): Promise<BrokerOrder | undefined> =>
    withLegs(
      await read(alpacaOrder, {
        path: '/v2/orders:by_client_order_id',
        query: { client_order_id: clientOrderId },
      }),
    );

  const unknown = (reason: string): Error => new OutcomeUnknownError(reason);

  /** Sends an order, or its replacement. @throws OrderRefusedError, DuplicateOrderError, OutcomeUnknownError */
  const submit = async (
    call: Pick<Call, 'method' | 'path'>,
    body: Readonly<Record<string, unknown>>,
    refused: (answer: Answer) => OrderRefusedError,
  ): Promise<z.output<typeof alpacaOrder>> => {
    const answer = await send({ ...call, body }, unknown);
    requireAccess(answer);
    if (isDuplicate(answer)) throw new DuplicateOrderError();
    if (!isOk(answer)) throw refused(answer);
    const placed = parse(alpacaOrder, answer.body, unknown);
    if (placed.clientOrderId !== body.client_order_id) throw unknown('the answer is about another order');
    return placed;
  };

  return {
    place: async (order) => submit({ method: 'POST', path: '/v2/orders' }, orderBodyOf(order), refusedOrder),
    placeExit: async (exit) => {
      const placed = await submit({ method: 'POST', path: '/v2/orders' }, exitBodyOf(exit), refusedExit);
      // It is placed, whether its further orders can be read now or not.
      return (await withLegs(placed).catch(() => placed)) ?? placed;
    },
    moveExit: async (move) => {
      const path = orderPath(move.brokerOrderId);
      let isSame = false;
      try {
        return await submit({ method: 'PATCH', path }, moveBodyOf(move), (answer) => {
          isSame = isUnchanged(answer);
          return refusedExit(answer);
        });
      } catch (error) {
        const known = isSame ? await findByBrokerId(move.brokerOrderId) : undefined;
        if (!known) throw error;
        return known;
      }
    },
    findByBrokerId,
    cancel: async (brokerOrderId) => {
      const answer = await send({ method: 'DELETE', path: orderPath(brokerOrderId) }, later);
      requireAccess(answer);
      if (isOk(answer)) return true;
      if (answer.status === 404 || answer.status === 422) return false;
      throw later(`status ${answer.status}`);
    },
    findOrder,
    listOpenOrders: async (isOwn) => {
      const orders = new Map<string, BrokerOrder>();
      const unreadable = new Set<string>();
      let after: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const query = {
          status: 'open',
          limit: String(PAGE_ORDERS),
          direction: 'asc',
          nested: 'true',
          ...(after !== undefined && { after }),
        };
        const bodies = (await read(listed, { path: '/v2/orders', query })) ?? [];
        for (const body of bodies) {
          if (!body || !isOwn(body.client_order_id)) continue;
          const { data: order } = alpacaOrder.safeParse(body);
          if (order) orders.set(order.brokerOrderId, order);
          else unreadable.add(body.client_order_id);
        }
        after = bodies.findLast((body) => body?.submitted_at !== undefined)?.submitted_at;
        if (bodies.length < PAGE_ORDERS || after === undefined) break;
      }
      return { orders: [...orders.values()], unreadable: [...unreadable] };
    },
    // A symbol of a crypto position has no slash.
    findPosition: (symbol) =>
      read(alpacaPosition, { path: `/v2/positions/${encodeURIComponent(symbol.replaceAll('/', ''))}` }),
    // A position in an unknown form does not block the others.
    listPositions: async () => (await read(alpacaPositions, { path: '/v2/positions' })) ?? [],
    account: async () => {
      const account = await read(alpacaAccount, { path: '/v2/account' });
      if (!account) throw later('status 404');
      return account;
    },
  };
};

/** Adapter for Alpaca. */
export const alpaca: ExecutionAdapter = {
  name: 'alpaca',
  open: async ({ keys, environment, addresses, clock, patienceMs }) =>
    alpacaBroker({
      ...keys,
      url: environment === 'live' ? addresses.HUB_ALPACA_URL : addresses.HUB_ALPACA_PAPER_URL,
      clock,
      ...(patienceMs !== undefined && { patienceMs }),
    }),
};
