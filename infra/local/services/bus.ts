import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { isNestedDeeper } from '../../../shared/api/limits.ts';
import { HUB_SOURCE, HUB_SOURCES } from '../../../shared/domain/deployments/event-source.ts';
import { ACCOUNT } from '../account.ts';
import type { EngineState, QueuedEvent } from '../database/state.ts';
import { isLocal } from '../gateway/loopback.ts';
import { sendJson } from '../gateway/server.ts';
import { AwsError, awsTarget, readAwsJson, sendAwsJson, sendFailure } from './aws-protocol.ts';
import { type BusEvent, type BusRule, busEvent } from './bus-event.ts';
import { printable, untakenEvent } from './event-names.ts';
import { matchesPattern } from './event-pattern.ts';
import { createEventStreams } from './event-streams.ts';
import { Lanes } from './lanes.ts';

/** Event that a service of AWS puts on the bus. */
export interface ServiceEvent {
  readonly source: `aws.${string}`;
  readonly detailType: string;
  readonly detail: BusEvent['detail'];
}

export interface BusOptions {
  /** Name of the only bus. */
  readonly name: string;
  readonly rules: readonly BusRule[];
  readonly region: string;
  /** Path for calls of the hub's functions. Only they may use the hub's source. */
  readonly hubPath: string;
  /** Stores accepted events until they are delivered, so that a killed engine loses none. */
  readonly state: Pick<EngineState, 'enqueue' | 'dequeue' | 'queued'>;
  /** Called with an event whose last attempt failed. */
  readonly onDeadLetter: (rule: string, event: BusEvent, error: unknown) => void;
  /** Prints a line about an entry that comes to nothing, such as one with a misspelt name. */
  readonly print: (line: string) => void;
  readonly attempts?: number;
  readonly backoffMs?: number;
  /** Maximum number of events that a rule delivers concurrently. */
  readonly concurrency?: number;
}

export interface Bus {
  readonly listener: RequestListener;
  /** Takes an event of a service, which no program can put on the bus. */
  readonly takeServiceEvent: (event: ServiceEvent) => void;
  /** Tells whether all events accepted so far were delivered or have failed. */
  readonly isIdle: () => boolean;
  /** Resolves when all events accepted so far were delivered or have failed. */
  readonly drain: () => Promise<void>;
  /** Waits `graceMs` for current deliveries. Undelivered events are delivered after the next start. */
  readonly close: (graceMs?: number) => Promise<void>;
}

const MAX_TOTAL_BYTES = 256 * 1024;

const entry = z.object({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  Time: z.number().min(0).max(253_402_300_799).optional(),
  Resources: z.array(z.string()).optional(),
  EventBusName: z.string().optional(),
});
type Entry = z.output<typeof entry>;

const putEvents = z.object({ Entries: z.array(entry).min(1).max(10) });

interface EntryError {
  readonly ErrorCode: string;
  readonly ErrorMessage: string;
}

const required = (name: string): EntryError => ({
  ErrorCode: 'InvalidArgument',
  ErrorMessage: `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
});

/** More than any event needs, and far too few to overflow the stack of JSON functions. */
const MAX_DEPTH = 1000;

const parseDetail = (text: string): Readonly<Record<string, unknown>> | undefined => {
  if (isNestedDeeper(text, MAX_DEPTH)) return undefined;
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    return undefined;
  }
};

/** Computes the size of an entry by EventBridge's rule: 14 bytes for the time, the UTF-8 length of all other fields. */
const sizeOf = ({ Time, Source = '', DetailType = '', Detail = '', Resources = [] }: Entry): number =>
  [Source, DetailType, Detail, ...Resources].reduce(
    (total, part) => total + Buffer.byteLength(part),
    Time === undefined ? 0 : 14,
  );

const denied: EntryError = {
  ErrorCode: 'NotAuthorizedForSourceException',
  ErrorMessage: 'Not authorized for the source.',
};

interface Caller {
  readonly name: string;
  readonly region: string;
  readonly isHub: boolean;
}

interface Content extends Pick<BusEvent, 'source' | 'region' | 'resources' | 'detail'> {
  readonly type: string;
  readonly time: Date;
}

const eventOf = ({ type, time, ...content }: Content): BusEvent => ({
  version: '0',
  id: randomUUID(),
  'detail-type': type,
  account: ACCOUNT,
  time: time.toISOString().replace(/\.\d+Z$/, 'Z'),
  ...content,
});

const toEvent = (
  given: Entry,
  { name, region, isHub }: Caller,
): EntryError | { readonly event: BusEvent } => {
  if (!given.Source) return required('Source');
  if (!given.DetailType) return required('DetailType');
  if (!given.Detail) return required('Detail');
  const { EventBusName: bus = 'default' } = given;
  if (bus !== name && bus !== `arn:aws:events:${region}:${ACCOUNT}:event-bus/${name}`) {
    return {
      ErrorCode: 'ResourceNotFoundException',
      ErrorMessage: `Event bus ${bus} does not exist. The bus of this service is ${name}.`,
    };
  }
  if (given.Source.startsWith('aws.') || (HUB_SOURCES.includes(given.Source) && !isHub)) return denied;
  const detail = parseDetail(given.Detail);
  if (!detail) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  const event = eventOf({
    type: given.DetailType,
    source: given.Source,
    time: given.Time === undefined ? new Date() : new Date(given.Time * 1000),
    region,
    resources: given.Resources ?? [],
    detail,
  });
  return { event };
};

/** Tells the reason why the bus does not take an entry. */
const refusedEntry = ({ Source = '', DetailType = '' }: Entry, { ErrorMessage }: EntryError): string =>
  `Refused an event "${printable(DetailType)}" of "${printable(Source)}": ${printable(ErrorMessage, 500)}`;

/** Events of one deployment, or of one series of bars, share a lane; any other event has its own. */
const laneOf = ({ name }: BusRule, { id, detail }: BusEvent): string => {
  const { deployment_id: deployment, symbol, timeframe } = detail;
  if (typeof deployment === 'number' || typeof deployment === 'string') return `${name} ${deployment}`;
  return typeof symbol === 'string' ? `${name} ${symbol} ${String(timeframe)}` : `${name} ${id}`;
};

/**
 * Event bus that accepts `PutEvents` and delivers events to rules concurrently, like EventBridge. The first attempts for
 * events of a deployment or a series are in order. An event that waits for its next attempt does not block others.
 * `GET /events` streams the hub's events for engines.
 */
export const createBus = (options: BusOptions): Bus => {
  const { rules, region, state, onDeadLetter, print } = options;
  const { attempts = 6, backoffMs = 200, concurrency = 8 } = options;
  const lanes = new Lanes(concurrency);
  const underway = new Set<Promise<void>>();
  const closing = new AbortController();
  const streams = createEventStreams();

  const deliver = async (rule: BusRule, event: BusEvent): Promise<void> => {
    const lane = laneOf(rule, event);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await lanes.run(lane, () => {
          closing.signal.throwIfAborted();
          return rule.deliver(event);
        });
      } catch (error) {
        closing.signal.throwIfAborted();
        if (attempt >= (rule.attempts ?? attempts) || rule.isFinal?.(error)) {
          return onDeadLetter(rule.name, event, error);
        }
        const pause = rule.backoffMs?.(error) ?? backoffMs;
        await wait(pause * 2 ** (attempt - 1), undefined, { signal: closing.signal });
      }
    }
  };

  const take = async (queued: QueuedEvent): Promise<void> => {
    const event = busEvent.parse(JSON.parse(queued.event));
    const rule = rules.find(({ name }) => name === queued.rule);
    if (rule) await deliver(rule, event);
    else onDeadLetter(queued.rule, event, new Error('the rule no longer exists'));
    state.dequeue(queued.id);
  };

  const schedule = (queued: QueuedEvent): void => {
    // Only closing aborts a delivery. The event then stays queued.
    const taking = take(queued).catch((error: unknown) => {
      if (!closing.signal.aborted) throw error;
    });
    underway.add(taking);
    void taking.finally(() => underway.delete(taking));
  };

  const route = (events: readonly BusEvent[]): void => {
    const matched = events.flatMap((event) => {
      const takers = rules.filter(({ pattern }) => matchesPattern(pattern, event));
      // The hub has events for engines outside, which no function of the service takes.
      if (takers.length === 0 && event.source !== HUB_SOURCE) print(untakenEvent(event, rules));
      return takers.map(({ name }) => ({ rule: name, event: JSON.stringify(event) }));
    });
    for (const queued of state.enqueue(matched)) schedule(queued);
    for (const event of events) streams.send(event);
  };

  const put = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (awsTarget(request) !== 'AWSEvents.PutEvents') {
      request.resume();
      throw new AwsError('UnknownOperationException', 'Only PutEvents is supported');
    }
    const { Entries } = await readAwsJson(request, putEvents, 16 * MAX_TOTAL_BYTES);
    if (Entries.reduce((total, one) => total + sizeOf(one), 0) > MAX_TOTAL_BYTES) {
      throw new AwsError(
        'ValidationException',
        'Total size of the entries in the request is over the limit.',
      );
    }
    const caller = { name: options.name, region, isHub: request.url?.startsWith(options.hubPath) ?? false };
    const outcomes = Entries.map((one) => {
      const outcome = toEvent(one, caller);
      if (!('event' in outcome)) print(refusedEntry(one, outcome));
      return outcome;
    });
    const accepted = outcomes.flatMap((outcome) => ('event' in outcome ? [outcome.event] : []));
    route(accepted);
    sendAwsJson(response, {
      FailedEntryCount: outcomes.length - accepted.length,
      Entries: outcomes.map((outcome) => ('event' in outcome ? { EventId: outcome.event.id } : outcome)),
    });
  };

  for (const left of state.queued()) schedule(left);
  return {
    listener: (request, response) => {
      if (!isLocal(request)) {
        request.resume();
        return sendJson(response, 403, { message: 'Forbidden' });
      }
      if (request.method === 'GET') return streams.open(request, response);
      put(request, response).catch((error: unknown) => sendFailure(response, error, 'InternalException'));
    },
    takeServiceEvent: ({ source, detailType: type, detail }) =>
      route([eventOf({ type, source, time: new Date(), region, resources: [], detail })]),
    isIdle: () => underway.size === 0,
    drain: async () => {
      while (underway.size > 0) await Promise.all(underway);
    },
    close: async (graceMs = 0) => {
      closing.abort();
      streams.close();
      await Promise.race([Promise.all(underway), wait(graceMs, undefined, { ref: false })]);
    },
  };
};
