import { ENGINE_UNITS } from './engine-units.ts';
import { ASSUMED, GB, PRICES } from './prices.ts';
import { RELAYED } from './relay.ts';
import { REQUEST_UNITS } from './request-units.ts';
import { TRADING_UNITS } from './trading-units.ts';
import type { Units } from './units.ts';

const ALL_UNITS = { ...REQUEST_UNITS, ...TRADING_UNITS, ...ENGINE_UNITS };

/** Kind of work of the service. */
export type Kind = keyof typeof ALL_UNITS;

/** Ways by which work comes to a function, for each of its kind. */
interface Way {
  /** Requests of the HTTP API. */
  readonly requests?: number;
  /** Runs of a function; none if the work is part of another run. */
  readonly runs: number;
  /** Events on the bus. */
  readonly events?: number;
  /** True for messages of the outbox, which the relay hands over. */
  readonly isRelayed?: boolean;
  readonly mails?: number;
  /** Milliseconds beyond those of its calls. */
  readonly moreMs?: number;
  /** Memory of the function. */
  readonly gb: number;
}

/** Series of a feed that one watermark is for. */
const SERIES_PER_WATERMARK = 50;
/** Milliseconds of CPU that a program takes for a bar. */
const PROGRAM_MS = 0.05;
/** Milliseconds in which a broker answers, and for which the adapter looks at a new order. */
const BROKER_MS = 100;
const LOOK_MS = 1000;
/** Milliseconds in which a page of a megabyte is read, and compared with up to a thousand accounts. */
const PAGE_MS = 50;
/** Milliseconds of CPU of a backtest over years of daily bars, and of a walk over a user's items. */
const BACKTEST_MS = 25;

const REQUEST: Way = { requests: 1, runs: 1, gb: ASSUMED.gb };
const EVENT: Way = { runs: 1, events: 1, gb: ASSUMED.asynchronousGb };
const MESSAGE: Way = { runs: 1, isRelayed: true, gb: ASSUMED.asynchronousGb };
/** Part of the run of a bar, in the function of the engine. */
const PART: Way = { runs: 0, gb: ASSUMED.gb };
/** Item of the run of a job. */
const OF_JOB: Way = { runs: 0, gb: ASSUMED.jobGb };

const HASHING: Way = { ...REQUEST, moreMs: ASSUMED.hashMs };

const WAYS: Readonly<Record<Kind, Way>> = {
  register: HASHING,
  'confirm the e-mail': REQUEST,
  'sign in': HASHING,
  'check a session': REQUEST,
  'renew a session': REQUEST,
  'ask for a code': REQUEST,
  'page of the catalogue': REQUEST,
  'own strategies': REQUEST,
  'search strategies': REQUEST,
  'suggest instruments': REQUEST,
  'build a strategy': REQUEST,
  'publish a strategy': REQUEST,
  like: REQUEST,
  'deploy as notifications': REQUEST,
  'page of notifications': REQUEST,
  'page of change events': { ...REQUEST, gb: ASSUMED.eventsGb },
  'signal of an engine, with a mail': EVENT,
  'signal of an engine, with a listener': EVENT,
  'delivery of a message': MESSAGE,
  'delivery of a mail': { ...MESSAGE, mails: 1 },
  'move of its event into the log': MESSAGE,
  'the same, with a webhook': MESSAGE,
  'delivery of a webhook': MESSAGE,

  preflight: { requests: 1, runs: 0, gb: 0 },
  'page of own deployments': REQUEST,
  'overview of own accounts': REQUEST,
  'number of unread notifications': REQUEST,
  'state of the kill switch': REQUEST,
  'wait for events': { ...REQUEST, gb: ASSUMED.eventsGb, moreMs: 1000 * ASSUMED.waitS },
  backtest: { ...REQUEST, gb: ASSUMED.jobGb, moreMs: BACKTEST_MS },
  'order of an engine, open': EVENT,
  'fill of an order': EVENT,
  'quote of an engine': EVENT,
  'lists after an order': MESSAGE,
  'change events of an order': MESSAGE,
  'order through the adapter': { ...EVENT, moreMs: BROKER_MS + LOOK_MS },
  'order that the adapter follows': { ...OF_JOB, gb: ASSUMED.asynchronousGb, moreMs: BROKER_MS },
  'comparison of an account': { ...OF_JOB, gb: ASSUMED.asynchronousGb, moreMs: BROKER_MS },
  'equity day of a deployment': OF_JOB,
  'swaps of a deployment': OF_JOB,
  'reconciling a user': OF_JOB,
  'reconciling a trading deployment': OF_JOB,
  'page of the walk for deletions': { ...OF_JOB, moreMs: PAGE_MS },

  'bar of a series': { ...EVENT, gb: ASSUMED.gb },
  'series, for a watermark': {
    runs: 1 / SERIES_PER_WATERMARK,
    events: 1 / SERIES_PER_WATERMARK,
    gb: ASSUMED.gb,
  },
  'program, for a bar': { ...PART, moreMs: PROGRAM_MS },
  'program that a container loads': PART,
  'start of a paper deployment': { ...EVENT, gb: ASSUMED.gb },
  'entry of a paper account': PART,
  'lists after an entry': MESSAGE,
  'account in a trade, for a bar': PART,
  'account in a trade, saved': PART,
  'exit of a paper account': PART,
  'lists after an exit': MESSAGE,
  'signal to a deployment': PART,
  'match for scanners': PART,
  'run of a scanner without a match': { ...EVENT, gb: ASSUMED.gb },
  'run of a scanner with ten matches': { ...EVENT, gb: ASSUMED.gb },
};

export const KINDS: readonly Kind[] = Object.keys(WAYS).filter((kind): kind is Kind => kind in WAYS);

/** Returns the units of a kind. */
export const unitsOf = (kind: Kind): Units => ALL_UNITS[kind];

/** Returns how often a kind takes the API, runs of its function, the bus, a queue and mail. */
export const wayOf = (kind: Kind) => {
  const { requests = 0, runs, events = 0, isRelayed = false, mails = 0 } = WAYS[kind];
  return { requests, runs, events, messages: isRelayed ? 1 : 0, mails };
};

/** Returns the milliseconds for which work of a kind takes a function. */
export const millisecondsOf = (kind: Kind): number => {
  const { runs, moreMs = 0 } = WAYS[kind];
  return runs * ASSUMED.restMs + ALL_UNITS[kind].calls * ASSUMED.callMs + moreMs;
};

const NOT_RELAYED = { functions: 0, logs: 0, queue: 0 };

/** Returns the costs of one of a kind in dollars, by service. */
export const costOf = (kind: Kind) => {
  const { read, write } = ALL_UNITS[kind];
  const { requests = 0, runs, events = 0, mails = 0, isRelayed = false, gb } = WAYS[kind];
  const relay = isRelayed ? RELAYED : NOT_RELAYED;
  const gbSeconds = (millisecondsOf(kind) / 1000) * gb;
  return {
    api: requests * (PRICES.httpApiRequest + (runs > 0 ? (ASSUMED.answerBytes / GB) * PRICES.transferGb : 0)),
    functions: relay.functions + runs * PRICES.lambdaRequest + gbSeconds * PRICES.lambdaGbSecond,
    reads: read * PRICES.readUnit,
    writes: write * PRICES.writeUnit,
    logs: relay.logs + runs * ((ASSUMED.logBytes / GB) * PRICES.logGb + ASSUMED.tracedShare * PRICES.trace),
    bus: relay.queue + events * PRICES.busEvent,
    mail: mails * PRICES.mail,
  };
};

export type Service = keyof ReturnType<typeof costOf>;

export const SERVICES: readonly Service[] = ['api', 'functions', 'reads', 'writes', 'logs', 'bus', 'mail'];
