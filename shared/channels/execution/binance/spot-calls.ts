import type * as z from 'zod';
import { retryAfterMs } from '../../retry-after.ts';
import type { AccountToOpen } from '../execution-adapter.ts';
import { AccessRefusedError, BrokerLaterError, UnreadableAnswerError } from '../execution-broker.ts';
import { isOfAccount, meaningOf, refusalOf } from './binance-errors.ts';
import { serverTimeSchema } from './binance-fields.ts';
import { type Answer, NoAnswerError, type SpotCall, SpotExchange } from './spot-exchange.ts';

/** Time limit of a call, including the body. Shorter than that of Binance itself: an order is then looked up. */
const PATIENCE_MS = 2_000;
/** Time to wait after a refused call without a time. */
const WAIT_MS = 60_000;

/** Knowledge about a server, for all accounts of a container. */
interface Server {
  /** Time by which its clock is ahead, in milliseconds. */
  aheadMs: number;
  /** Time until which it takes no calls of this address: further ones prolong a ban. In milliseconds. */
  closedUntil: number;
}

const servers = new Map<string, Server>();

const serverAt = (url: string): Server => {
  const server = servers.get(url) ?? { aheadMs: 0, closedUntil: 0 };
  servers.set(url, server);
  return server;
};

/** Calls of the spot API for one account. */
export interface SpotCalls {
  readonly url: string;
  /**
   * Sends a call whose effect matters.
   *
   * @param lost makes the error for a call that may have been done.
   * @throws AccessRefusedError, BrokerLaterError, the error of `lost`
   */
  readonly send: (call: SpotCall, lost: (reason: string) => Error) => Promise<Answer>;
  /** Reads; undefined if there is no such thing. @throws AccessRefusedError, BrokerLaterError */
  readonly read: <S extends z.ZodType>(schema: S, call: SpotCall) => Promise<z.output<S> | undefined>;
}

const later = (reason: string): Error => new BrokerLaterError(reason);

const described = (answer: Answer): string => {
  const code = refusalOf(answer)?.code;
  return code === undefined ? `status ${answer.status}` : `status ${answer.status}, code ${code}`;
};

/** Returns the calls of an account. Neither errors nor logs hold the keys. */
export const spotCalls = ({ keys, environment, addresses, clock, patienceMs }: AccountToOpen): SpotCalls => {
  const url = environment === 'live' ? addresses.HUB_BINANCE_URL : addresses.HUB_BINANCE_PAPER_URL;
  const server = serverAt(url);
  const now = (): number => clock().getTime();
  const exchange = new SpotExchange({
    url,
    keys,
    serverTime: () => now() + server.aheadMs,
    patienceMs: patienceMs ?? PATIENCE_MS,
  });

  const sendOnce = async (call: SpotCall, lost: (reason: string) => Error): Promise<Answer> => {
    const wait = server.closedUntil - now();
    if (wait > 0) throw new BrokerLaterError('it limits calls of this address', wait);
    try {
      return await exchange.send(call);
    } catch (error) {
      throw error instanceof NoAnswerError ? lost(error.message) : error;
    }
  };

  /** Sets the clock by that of the server. */
  const readClock = async (): Promise<void> => {
    const sent = now();
    const { body } = await sendOnce({ api: 'public', method: 'GET', path: 'time' }, later);
    const { data } = serverTimeSchema.safeParse(body);
    // The answer was written about in the middle.
    if (data) server.aheadMs = data.serverTime - (sent + now()) / 2;
  };

  const send: SpotCalls['send'] = async (call, lost) => {
    const first = await sendOnce(call, lost);
    const isEarlyOrLate = meaningOf(first) === 'clock';
    if (isEarlyOrLate) await readClock();
    const answer = isEarlyOrLate ? await sendOnce(call, lost) : first;
    switch (meaningOf(answer)) {
      case 'access':
        throw new AccessRefusedError(answer.status);
      case 'clock':
        throw later(described(answer));
      case 'unknown':
        throw lost(described(answer));
      case 'later': {
        const wait = retryAfterMs(answer.headers.get('retry-after'), clock()) ?? WAIT_MS;
        if (!isOfAccount(answer)) server.closedUntil = now() + wait;
        throw new BrokerLaterError(described(answer), wait);
      }
      default:
        return answer;
    }
  };

  return {
    url,
    send,
    read: async (schema, call) => {
      const answer = await send(call, later);
      const meaning = meaningOf(answer);
      if (meaning === 'missing') return undefined;
      if (meaning !== undefined) throw new UnreadableAnswerError(described(answer));
      const { data, success } = schema.safeParse(answer.body);
      if (!success) throw new UnreadableAnswerError('the answer is not of the documented form');
      return data;
    },
  };
};
