import { SENT_TOGETHER } from '../../../functions/jobs/delivery/sweep-deliveries.ts';
import { FUNCTIONS } from '../../../functions/manifest.ts';
import { STAGES } from '../../../infra/config.ts';
import { dueKinds } from '../../../shared/data/outbox/lanes.ts';
import { rounded, row } from './format.ts';
import { ACTIVE_SHARE, DAY, millisecondsOf, PEAK } from './model.ts';
import { ASYNCHRONOUS, FROM_BUS, KINDS, type Kind, UNITS } from './units.ts';

/** Limits of AWS before anybody has them raised, and times that no benchmark measures. */
const ASSUMED = {
  /** Mails a day and a second of an account with production access. */
  mailsADay: 50_000,
  mailsASecond: 14,
  gatewayRequests: 10_000,
  concurrency: 1_000,
  /** Part of the concurrency at which the alarm goes off (`account concurrency`). */
  alarmShare: 0.8,
  tableUnits: 40_000,
  newTableWrites: 4_000,
  partitionWrites: 1_000,
  partitionReads: 3_000,
  busEvents: 10_000,
  /** Milliseconds of an attempt at a message, and of an event. */
  attemptMs: 100,
  eventMs: 30,
  messagesTogether: 10,
  /** Write units of a message in the index `due`. */
  dueUnits: 5,
  /** Read units of the first page of the catalogue: the head of the list. Its cards are kept in the function. */
  firstPageUnits: 1,
  /** Transactions a second on the head of a list. */
  headChanges: 20,
  /** Part of the searches that begin with the same letters, and their read units. */
  alikeShare: 0.1,
  searchUnits: 30,
  /** Length of an outage, the time in which it must drain, and the time of a run for batches. */
  outageMinutes: 60,
  drainMinutes: 15,
  runSeconds: 45,
} as const;

const DAY_S = 86_400;

/** Limit that growth reaches: what it takes, by user, and how much there is. */
interface Limit {
  readonly name: string;
  readonly unit: string;
  readonly capacity: number;
  /** Use of one user, in the same unit. */
  readonly perUser: number;
  /** Says what an operator does before it is reached. */
  readonly beyond: string;
}

const perUserDay = (kinds: readonly Kind[]): number =>
  ACTIVE_SHARE * kinds.reduce((sum, kind) => sum + DAY[kind], 0);

/** Returns how often a second kinds happen for one user, at the peak. */
const atPeak = (kinds: readonly Kind[]): number => (PEAK * perUserDay(kinds)) / DAY_S;

const weighted = (kinds: readonly Kind[], weight: (kind: Kind) => number): number =>
  kinds.reduce((sum, kind) => sum + atPeak([kind]) * weight(kind), 0);

const REQUESTS = KINDS.filter((kind) => !ASYNCHRONOUS.includes(kind));
const SIGN_IN: readonly Kind[] = [
  'register',
  'sign in',
  'check a session',
  'renew a session',
  'ask for a code',
];
const MAILS: readonly Kind[] = ['ask for a code', 'signal of an engine, with a mail'];

const concurrencyOf = (name: string): number => {
  const reserved = FUNCTIONS.find((one) => one.name === name)?.maxConcurrency;
  if (reserved === undefined) throw new Error(`the function ${name} has no reserved concurrency`);
  return reserved;
};

const production = () => {
  const stage = STAGES.find((one) => one.production);
  if (!stage) throw new Error('there is no production stage');
  return stage.throttle;
};

const limits = (): Limit[] => {
  const throttle = production();
  const executions = weighted(KINDS, (kind) => millisecondsOf(kind) / 1000);
  const routeOfSignIn = Math.max(...SIGN_IN.map((kind) => atPeak([kind])));
  const messages = atPeak(['delivery of a message']);
  const sweptAMinute = (ASSUMED.runSeconds * 1000 * SENT_TOGETHER) / ASSUMED.attemptMs;
  const laneASecond = (concurrencyOf('deliveries') * ASSUMED.messagesTogether * 1000) / ASSUMED.attemptMs;
  // One of the partitions holds messages of earlier versions only.
  const duePartitions = dueKinds('main').length - 1;
  return [
    {
      name: 'SES, mails a day',
      unit: 'a day',
      capacity: ASSUMED.mailsADay,
      perUser: perUserDay(MAILS),
      beyond: 'request a higher quota; push messages take none of it',
    },
    {
      name: 'SES, mails a second',
      unit: 'a second',
      capacity: ASSUMED.mailsASecond,
      perUser: atPeak(MAILS),
      beyond: 'the same; until then mails are late, not lost',
    },
    {
      name: 'Lambda, concurrency of the account: alarm',
      unit: 'at a time',
      capacity: ASSUMED.concurrency * ASSUMED.alarmShare,
      perUser: executions,
      beyond: 'request a higher quota',
    },
    {
      name: 'Lambda, `user-access`',
      unit: 'at a time',
      capacity: concurrencyOf('user-access'),
      perUser: weighted(SIGN_IN, (kind) => millisecondsOf(kind) / 1000),
      beyond: '`MAX_CONCURRENCY` in `functions/manifest.ts`',
    },
    {
      name: 'stage `prod`, all requests',
      unit: 'a second',
      capacity: throttle.api.rateLimit,
      perUser: atPeak(REQUESTS),
      beyond: '`throttle.api` in `infra/config.ts`',
    },
    {
      name: 'stage `prod`, a route of `user-access`',
      unit: 'a second',
      capacity: throttle.groups['user-access']?.rateLimit ?? throttle.api.rateLimit,
      perUser: routeOfSignIn,
      beyond: '`throttle.groups` in `infra/config.ts`',
    },
    {
      name: 'API Gateway, requests of the account',
      unit: 'a second',
      capacity: ASSUMED.gatewayRequests,
      perUser: atPeak(REQUESTS),
      beyond: 'request a higher quota, or a stage per account',
    },
    {
      name: 'table, writes of a new one',
      unit: 'units a second',
      capacity: ASSUMED.newTableWrites,
      perUser: weighted(KINDS, (kind) => UNITS[kind].write),
      beyond: 'it doubles within 30 minutes; warm throughput before a launch',
    },
    {
      name: 'table, writes',
      unit: 'units a second',
      capacity: ASSUMED.tableUnits,
      perUser: weighted(KINDS, (kind) => UNITS[kind].write),
      beyond: 'request a higher quota',
    },
    {
      name: 'table, reads',
      unit: 'units a second',
      capacity: ASSUMED.tableUnits,
      perUser: weighted(KINDS, (kind) => UNITS[kind].read),
      beyond: 'request a higher quota',
    },
    {
      name: 'partitions of `due`',
      unit: 'messages a second',
      capacity: (duePartitions * ASSUMED.partitionWrites) / ASSUMED.dueUnits,
      perUser: messages,
      beyond: '`DUE_PARTITIONS` in `shared/data/outbox/lanes.ts`',
    },
    {
      name: 'partition `EXPLORE`, changes',
      unit: 'a second',
      capacity: ASSUMED.headChanges,
      perUser: atPeak(['publish a strategy']),
      beyond: 'a list per category',
    },
    {
      name: 'partition `EXPLORE`, first page',
      unit: 'units a second',
      capacity: ASSUMED.partitionReads,
      perUser: atPeak(['page of the catalogue']) * ASSUMED.firstPageUnits,
      beyond: 'keep the head for seconds too',
    },
    {
      name: 'partition `STRATEGY_SEARCH#…`, a tenth of all searches',
      unit: 'units a second',
      capacity: ASSUMED.partitionReads,
      perUser: atPeak(['search strategies']) * ASSUMED.alikeShare * ASSUMED.searchUnits,
      beyond: 'a longer `SHARED_MS` for searches',
    },
    {
      name: 'EventBridge, events',
      unit: 'a second',
      capacity: ASSUMED.busEvents,
      perUser: atPeak(FROM_BUS),
      beyond: 'request a higher quota',
    },
    {
      name: 'Lambda, `execution-events`',
      unit: 'events a second',
      capacity: (concurrencyOf('execution-events') * 1000) / ASSUMED.eventMs,
      perUser: atPeak(FROM_BUS),
      beyond: '`maxConcurrency` in `functions/manifest.ts`; events wait for six hours',
    },
    {
      name: 'Lambda, `deliveries`',
      unit: 'messages a second',
      capacity: laneASecond,
      perUser: messages,
      beyond: 'the same; messages wait',
    },
    {
      name: `sweep of an hour's outage in ${ASSUMED.drainMinutes} minutes`,
      unit: 'messages',
      capacity: ASSUMED.drainMinutes * sweptAMinute,
      perUser: (perUserDay(['delivery of a message']) * ASSUMED.outageMinutes) / (24 * 60),
      beyond: '`atOnce` of `sweep-deliveries`',
    },
  ];
};

/** Limit with the number of users that reach it. */
interface Reached extends Limit {
  readonly users: number;
}

/** Returns the limits in the order in which growth reaches them. */
export const reachedLimits = (): Reached[] =>
  limits()
    .map((limit) => ({ ...limit, users: limit.capacity / limit.perUser }))
    .toSorted((left, right) => left.users - right.users);

/** Returns the limits as Markdown, the first to be reached first. */
export const limitTable = (): string =>
  [
    row(['Limit', 'Capacity', 'Reached by users', 'Beyond it']),
    row(['---', '--:', '--:', '---']),
    ...reachedLimits().map(({ name, unit, capacity, users, beyond }) =>
      row([name, `${rounded(capacity)} ${unit}`, rounded(users), beyond]),
    ),
  ].join('\n');

/** Says how much of each limit a number of users takes, and which of them they exceed. */
export const simulate = (users: number): string => {
  const all = reachedLimits();
  const exceeded = all.filter((limit) => limit.users < users);
  const [first] = all;
  if (!first) throw new Error('there are no limits');
  const lines = all.map(({ name, unit, capacity, perUser }) => {
    const use = users * perUser;
    const part = `${rounded((100 * use) / capacity)} %`.padStart(10);
    return `${part}  ${name}: ${rounded(use)} of ${rounded(capacity)} ${unit}`;
  });
  const verdict =
    exceeded.length === 0
      ? `${users.toLocaleString('en')} users stay below all limits.`
      : `${users.toLocaleString('en')} users exceed ${exceeded.length}: ${exceeded
          .map(({ name, beyond }) => `\n- ${name}: ${beyond}`)
          .join('')}`;
  return `${lines.join('\n')}\n\nFirst: ${first.name}, at ${rounded(first.users)} users.\n${verdict}`;
};
