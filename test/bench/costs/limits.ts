import { SLOTS } from '../../../functions/events/common/waiting.ts';
import { SENT_TOGETHER } from '../../../functions/jobs/delivery/sweep-deliveries.ts';
import { FUNCTIONS } from '../../../functions/manifest.ts';
import { STAGES } from '../../../infra/config.ts';
import { dueKinds } from '../../../shared/data/outbox/lanes.ts';
import { rounded, row } from './format.ts';
import { type Kind, millisecondsOf, unitsOf, wayOf } from './kinds.ts';
import { accountsOf, DAYS, monthOf, PART_NAMES, peakOf, WAITING_AT_PEAK } from './users.ts';

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
  /** Milliseconds of an attempt at a message. */
  attemptMs: 100,
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
  /** Items that a walk compares in parallel. */
  jobAtOnce: 10,
} as const;

const DAY_S = 86_400;
const WEEK_S = 7 * DAY_S;

/** Limit that growth reaches: what users take of it, and how much there is. */
interface Limit {
  readonly name: string;
  readonly unit: string;
  readonly capacity: number;
  /** Use of a number of users, in the same unit. It grows with them. */
  readonly use: (users: number) => number;
  /** Says what an operator does before it is reached. */
  readonly beyond: string;
}

/** Returns a use that is so much for each user. */
const each = (perUser: number) => (users: number) => users * perUser;

/** Returns how much a second work takes of something at the peak. */
const atPeak =
  (weight: (kind: Kind) => number) =>
  (users: number): number => {
    let sum = 0;
    for (const [kind, times] of peakOf(users)) sum += times * weight(kind);
    return sum;
  };

const times =
  (kinds: readonly Kind[]) =>
  (kind: Kind): number =>
    kinds.includes(kind) ? 1 : 0;

const seconds =
  (kinds: readonly Kind[]) =>
  (kind: Kind): number =>
    kinds.includes(kind) ? millisecondsOf(kind) / 1000 : 0;

/** Returns how often a day kinds happen. */
const aDay =
  (kinds: readonly Kind[]) =>
  (users: number): number =>
    kinds.reduce(
      (sum, kind) =>
        sum + PART_NAMES.reduce((all, part) => all + (monthOf(part, users).get(kind) ?? 0), 0) / DAYS,
      0,
    );

const SIGN_IN: readonly Kind[] = [
  'register',
  'sign in',
  'check a session',
  'renew a session',
  'ask for a code',
];
const MAILS: readonly Kind[] = ['delivery of a mail'];
const MESSAGES: readonly Kind[] = [
  'delivery of a mail',
  'lists after an entry',
  'lists after an exit',
  'lists after an order',
];
const PUSHES: readonly Kind[] = ['delivery of a message'];
const MOVES: readonly Kind[] = ['move of its event into the log', 'change events of an order'];
const REPORTS: readonly Kind[] = [
  'signal of an engine, with a mail',
  'signal of an engine, with a listener',
  'order of an engine, open',
  'fill of an order',
  'quote of an engine',
];
const OF_ENGINE: readonly Kind[] = [
  'bar of a series',
  'series, for a watermark',
  'program, for a bar',
  'program that a container loads',
  'start of a paper deployment',
  'entry of a paper account',
  'account in a trade, for a bar',
  'account in a trade, saved',
  'exit of a paper account',
  'signal to a deployment',
  'match for scanners',
  'run of a scanner without a match',
  'run of a scanner with ten matches',
];
const OF_CONSOLE: readonly Kind[] = ['wait for events', 'page of change events'];
/** Requests to functions that have reserved concurrency. */
const RESERVED: readonly Kind[] = [...SIGN_IN, ...OF_CONSOLE, 'backtest'];

const concurrencyOf = (name: string): number => {
  const reserved = FUNCTIONS.find((one) => one.name === name)?.maxConcurrency;
  if (reserved === undefined) throw new Error(`the function ${name} has no reserved concurrency`);
  return reserved;
};

const reservedConcurrency = (): number =>
  FUNCTIONS.filter(({ onlyWith }) => onlyWith !== 'canary').reduce(
    (sum, { maxConcurrency = 0 }) => sum + maxConcurrency,
    0,
  );

const production = () => {
  const stage = STAGES.find((one) => one.production);
  if (!stage) throw new Error('there is no production stage');
  return stage.throttle;
};

const MANIFEST = '`functions/manifest.ts`';

/** Returns the limit of the concurrency of a function. */
const functionLimit = (name: string, kinds: readonly Kind[], beyond: string): Limit => ({
  name: `Lambda, \`${name}\``,
  unit: 'at a time',
  capacity: concurrencyOf(name),
  use: atPeak(seconds(kinds)),
  beyond,
});

/** Returns how many items a job handles in some seconds, in runs of 45 seconds. */
const handledIn = (kind: Kind, all: number, everyS: number): number =>
  ((all * ASSUMED.runSeconds) / everyS) * (ASSUMED.jobAtOnce / (millisecondsOf(kind) / 1000));

const accounts = (users: number): number => {
  const { paper, engine, broker } = accountsOf(users);
  return paper + engine + broker;
};

const limits = (): Limit[] => {
  const throttle = production();
  const requests = atPeak((kind) => wayOf(kind).requests);
  const writes = atPeak((kind) => unitsOf(kind).write);
  const sweptAMinute = (ASSUMED.runSeconds * 1000 * SENT_TOGETHER) / ASSUMED.attemptMs;
  const laneASecond = (concurrencyOf('deliver-main') * ASSUMED.messagesTogether * 1000) / ASSUMED.attemptMs;
  const duePartitions = dueKinds('main').length;
  return [
    {
      name: 'SES, mails a day',
      unit: 'a day',
      capacity: ASSUMED.mailsADay,
      use: aDay(MAILS),
      beyond: 'request a higher quota; push messages take none of it',
    },
    {
      name: 'SES, mails a second',
      unit: 'a second',
      capacity: ASSUMED.mailsASecond,
      use: atPeak(times(MAILS)),
      beyond: 'request a higher quota; until then mails are late, not lost',
    },
    {
      name: 'consoles that wait for events',
      unit: 'at a time',
      capacity: SLOTS,
      use: each(WAITING_AT_PEAK),
      beyond: 'nothing: further ones look every 15 seconds. `SLOTS` and the concurrency of `events` for more',
    },
    {
      name: 'Lambda, concurrency of the account: alarm',
      unit: 'at a time',
      capacity: ASSUMED.concurrency * ASSUMED.alarmShare,
      use: atPeak((kind) => millisecondsOf(kind) / 1000),
      beyond: 'request a higher quota',
    },
    {
      name: 'Lambda, functions without reserved concurrency',
      unit: 'at a time',
      capacity: ASSUMED.concurrency - reservedConcurrency(),
      use: atPeak((kind) =>
        wayOf(kind).requests > 0 && !RESERVED.includes(kind) ? millisecondsOf(kind) / 1000 : 0,
      ),
      beyond: 'request a higher quota',
    },
    functionLimit('user-access', SIGN_IN, `\`MAX_CONCURRENCY\` in ${MANIFEST}`),
    functionLimit('events', OF_CONSOLE, `\`MAX_CONCURRENCY\` in ${MANIFEST}`),
    functionLimit('backtests', ['backtest'], `\`MAX_CONCURRENCY\` in ${MANIFEST}`),
    functionLimit(
      'engine',
      OF_ENGINE,
      '`maxConcurrency` in `functions/manifest.ts`; bars wait for six hours',
    ),
    functionLimit(
      'execution-events',
      REPORTS,
      `\`maxConcurrency\` in ${MANIFEST}; events wait, for six hours`,
    ),
    functionLimit(
      'broker-orders',
      ['order through the adapter'],
      `\`maxConcurrency\` in ${MANIFEST}, and the rates of brokers`,
    ),
    functionLimit('deliver-push', PUSHES, `\`maxConcurrency\` in ${MANIFEST}; messages wait`),
    functionLimit('deliver-changes', MOVES, `\`maxConcurrency\` in ${MANIFEST}; messages wait`),
    {
      name: 'Lambda, `deliver-main`',
      unit: 'messages a second',
      capacity: laneASecond,
      use: atPeak(times(MESSAGES)),
      beyond: `\`maxConcurrency\` in ${MANIFEST}; messages wait`,
    },
    {
      name: 'stage `prod`, all requests',
      unit: 'a second',
      capacity: throttle.api.rateLimit,
      use: requests,
      beyond: '`throttle.api` in `infra/config.ts`',
    },
    {
      name: 'stage `prod`, a route of `user-access`',
      unit: 'a second',
      capacity: throttle.groups['user-access']?.rateLimit ?? throttle.api.rateLimit,
      use: (users) => Math.max(...SIGN_IN.map((kind) => peakOf(users).get(kind) ?? 0)),
      beyond: '`throttle.groups` in `infra/config.ts`',
    },
    {
      name: 'API Gateway, requests of the account',
      unit: 'a second',
      capacity: ASSUMED.gatewayRequests,
      use: requests,
      beyond: 'request a higher quota, or a stage per account',
    },
    {
      name: 'table, writes of a new one',
      unit: 'units a second',
      capacity: ASSUMED.newTableWrites,
      use: writes,
      beyond: 'it doubles within 30 minutes; warm throughput before a launch',
    },
    {
      name: 'table, writes',
      unit: 'units a second',
      capacity: ASSUMED.tableUnits,
      use: writes,
      beyond: 'request a higher quota',
    },
    {
      name: 'table, reads',
      unit: 'units a second',
      capacity: ASSUMED.tableUnits,
      use: atPeak((kind) => unitsOf(kind).read),
      beyond: 'request a higher quota',
    },
    {
      name: 'partitions of `due`',
      unit: 'messages a second',
      capacity: (duePartitions * ASSUMED.partitionWrites) / ASSUMED.dueUnits,
      use: atPeak(times(MESSAGES)),
      beyond: '`DUE_PARTITIONS` in `shared/data/outbox/lanes.ts`',
    },
    {
      name: 'partition `EXPLORE`, changes',
      unit: 'a second',
      capacity: ASSUMED.headChanges,
      use: atPeak(times(['publish a strategy'])),
      beyond: 'a list per category',
    },
    {
      name: 'partition `EXPLORE`, first page',
      unit: 'units a second',
      capacity: ASSUMED.partitionReads,
      use: atPeak((kind) => (kind === 'page of the catalogue' ? ASSUMED.firstPageUnits : 0)),
      beyond: 'keep the head for seconds too',
    },
    {
      name: 'partition `STRATEGY_SEARCH#…`, a tenth of all searches',
      unit: 'units a second',
      capacity: ASSUMED.partitionReads,
      use: atPeak((kind) => (kind === 'search strategies' ? ASSUMED.alikeShare * ASSUMED.searchUnits : 0)),
      beyond: 'a longer `SHARED_MS` for searches',
    },
    {
      name: 'EventBridge, events',
      unit: 'a second',
      capacity: ASSUMED.busEvents,
      use: atPeak((kind) => wayOf(kind).events),
      beyond: 'request a higher quota',
    },
    {
      name: `sweep of an hour's outage in ${ASSUMED.drainMinutes} minutes`,
      unit: 'messages',
      capacity: ASSUMED.drainMinutes * sweptAMinute,
      use: (users) => (aDay(MESSAGES)(users) * ASSUMED.outageMinutes) / (24 * 60),
      beyond: '`atOnce` of `sweep-deliveries`',
    },
    {
      name: 'round of `close-equity-days` within a day',
      unit: 'accounts',
      capacity: handledIn('equity day of a deployment', DAY_S, 5 * 60),
      use: accounts,
      beyond: 'runs every minute',
    },
    {
      name: 'round of `reconcile-lists` within a week',
      unit: 'users',
      capacity: handledIn('reconciling a user', WEEK_S, 60),
      use: each(1),
      beyond: 'more `SEGMENTS` of the scan; a round that is late delays only the next',
    },
  ];
};

/** Limit with the number of users that reach it. */
interface Reached extends Limit {
  readonly users: number;
}

const MOST_USERS = 1e12;

/** Returns the number of users at which a limit is reached, by halving. Not all uses are proportional to users. */
const usersAt = ({ capacity, use }: Limit): number => {
  let [below, above] = [1, MOST_USERS];
  while (above / below > 1.0001) {
    const middle = Math.sqrt(below * above);
    if (use(middle) < capacity) below = middle;
    else above = middle;
  }
  return below;
};

/** Returns the limits in the order in which growth reaches them. */
export const reachedLimits = (): Reached[] =>
  limits()
    .map((limit) => ({ ...limit, users: usersAt(limit) }))
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
  const lines = all.map(({ name, unit, capacity, use }) => {
    const used = use(users);
    const part = `${rounded((100 * used) / capacity)} %`.padStart(10);
    return `${part}  ${name}: ${rounded(used)} of ${rounded(capacity)} ${unit}`;
  });
  const verdict =
    exceeded.length === 0
      ? `${users.toLocaleString('en')} users stay below all limits.`
      : `${users.toLocaleString('en')} users exceed ${exceeded.length === 1 ? 'one limit' : `${exceeded.length} limits`}:${exceeded
          .map(({ name, beyond }) => `\n- ${name}: ${beyond}`)
          .join('')}`;
  return `${lines.join('\n')}\n\nFirst: ${first.name}, at ${rounded(first.users)} users.\n${verdict}`;
};
