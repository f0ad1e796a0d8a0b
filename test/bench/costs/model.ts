import { money, perMillion, rounded, row } from './format.ts';
import { ASSUMED, GB, PRICES } from './prices.ts';
import { idleQueues, RELAYED } from './relay.ts';
import { ASYNCHRONOUS, FROM_BUS, FROM_QUEUES, HASHING, KINDS, type Kind, UNITS } from './units.ts';

/** Returns the milliseconds for which a request of a kind takes a function. */
export const millisecondsOf = (kind: Kind): number =>
  ASSUMED.restMs + UNITS[kind].calls * ASSUMED.callMs + (HASHING.includes(kind) ? ASSUMED.hashMs : 0);

/** Costs of one request of a kind, by service. */
const costOf = (kind: Kind) => {
  const { read, write } = UNITS[kind];
  const isAsynchronous = ASYNCHRONOUS.includes(kind);
  const ms = millisecondsOf(kind);
  const { functions, logs, queue } = FROM_QUEUES.includes(kind)
    ? RELAYED
    : { functions: 0, logs: 0, queue: 0 };
  const gbSeconds = (ms / 1000) * (isAsynchronous ? ASSUMED.asynchronousGb : ASSUMED.gb);
  return {
    gateway: isAsynchronous ? 0 : PRICES.httpApiRequest + (ASSUMED.answerBytes / GB) * PRICES.transferGb,
    functions: functions + PRICES.lambdaRequest + gbSeconds * PRICES.lambdaGbSecond,
    table: read * PRICES.readUnit + write * PRICES.writeUnit,
    logs: logs + (ASSUMED.logBytes / GB) * PRICES.logGb + ASSUMED.tracedShare * PRICES.trace,
    outside:
      queue +
      (FROM_BUS.includes(kind) ? PRICES.busEvent : 0) +
      (kind === 'delivery of a message' ? PRICES.mail : 0),
  };
};

/** Requests of an active user on a day, by kind. */
export const DAY: Readonly<Record<Kind, number>> = {
  register: 0,
  'sign in': 0.3,
  'check a session': 2,
  'renew a session': 4,
  'ask for a code': 0.01,
  'page of the catalogue': 4,
  'own strategies': 3,
  'page of notifications': 6,
  'search strategies': 1,
  'suggest instruments': 2,
  'build a strategy': 0.1,
  'publish a strategy': 0.02,
  like: 0.5,
  'deploy as notifications': 0.1,
  'signal of an engine, with a mail': 3,
  'delivery of a message': 3.2,
  // The average user has no listener.
  'signal of an engine, with a listener': 0,
  'move of its event into the log': 0,
  'the same, with a webhook': 0,
  'delivery of a webhook': 0,
  'page of change events': 0,
};

/** Users who are active on a day. */
export const ACTIVE_SHARE = 0.2;
const DAYS = 30;
/** Stored data of a user: sessions, strategies, cards, notifications. */
const BYTES_PER_USER = 40_000;
const SIZES: readonly number[] = [1000, 100_000, 10_000_000];
/** Peak, in multiples of the average. */
export const PEAK = 4;

const JOBS_A_MINUTE = 6;

/** Metrics that the alarms of a stage compute with; each costs as much as an alarm. */
export const ALARM_METRICS = 210;
/** Alarms over other alarms. */
export const COMPOSITE_ALARMS = 2;

/** Metrics that are charged: one for each operation that is used, and those that come from logs. */
export const METRICS = 170;

/** Costs without any user: the jobs of a minute, empty queues, and monitoring. */
const fixed = (): number => {
  const runs = JOBS_A_MINUTE * 60 * 24 * DAYS * (PRICES.scheduledRun + PRICES.lambdaRequest);
  const alarms = ALARM_METRICS * PRICES.alarmMonth + COMPOSITE_ALARMS * PRICES.compositeAlarmMonth;
  const watching = alarms + PRICES.dashboardMonth + METRICS * PRICES.metricMonth;
  return runs + watching + idleQueues(DAYS) + PRICES.secretMonth + PRICES.keyMonth;
};

/** Returns the costs of a million requests of each kind, in dollars, as Markdown. */
export const requestTable = (): string => {
  const rows = KINDS.map((kind) => {
    const { gateway, functions, table, logs, outside } = costOf(kind);
    const { read, write } = UNITS[kind];
    const all = gateway + functions + table + logs + outside;
    return row([
      kind,
      String(read),
      String(write),
      ...[gateway, functions, table, logs, outside, all].map(perMillion),
    ]);
  });
  return [
    row([
      'A million times',
      'Read units each',
      'Write units each',
      'API',
      'Lambda',
      'DynamoDB',
      'Logs, traces',
      'Bus, queues, mail',
      'Together ($)',
    ]),
    row(['---', ...Array.from({ length: 8 }, () => '--:')]),
    ...rows,
  ].join('\n');
};

/** Returns the costs of a month at several sizes, in dollars, as Markdown. */
export const monthTable = (): string => {
  const months = SIZES.map((users) => {
    const times = users * ACTIVE_SHARE * DAYS;
    const sum = (part: keyof ReturnType<typeof costOf>): number =>
      KINDS.reduce((total, kind) => total + DAY[kind] * times * costOf(kind)[part], 0);
    const requests = KINDS.filter((kind) => !ASYNCHRONOUS.includes(kind)).reduce(
      (n, kind) => n + DAY[kind],
      0,
    );
    const storage = (users * BYTES_PER_USER) / GB;
    const parts = {
      api: sum('gateway'),
      functions: sum('functions'),
      table: sum('table') + storage * (PRICES.storageGbMonth + PRICES.backupGbMonth),
      logs: sum('logs'),
      outside: sum('outside'),
      fixed: fixed(),
    };
    const perSecond = (requests * times) / (DAYS * 86_400);
    const all = Object.values(parts).reduce((a, b) => a + b, 0);
    return { users, perSecond, parts, all };
  });
  const column = (name: string, cell: (month: (typeof months)[number]) => string): string =>
    row([name, ...months.map(cell)]);
  return [
    column('Users', ({ users }) => users.toLocaleString('en')),
    row(['---', ...SIZES.map(() => '--:')]),
    column('Requests a second, on average', ({ perSecond }) => rounded(perSecond)),
    column(`Requests a second, at ${PEAK} times that`, ({ perSecond }) => rounded(PEAK * perSecond)),
    column('API and transfer', ({ parts }) => money(parts.api)),
    column('Lambda', ({ parts }) => money(parts.functions)),
    column('DynamoDB with backup', ({ parts }) => money(parts.table)),
    column('Logs and traces', ({ parts }) => money(parts.logs)),
    column('Mail, bus and queues', ({ parts }) => money(parts.outside)),
    column('Alarms, metrics, keys, jobs, queues', ({ parts }) => money(parts.fixed)),
    column('Together, $ a month', ({ all }) => money(all)),
    column('$ a user and month', ({ all, users }) => (all / users).toFixed(4)),
  ].join('\n');
};
