import { FUNCTIONS } from '../../../functions/manifest.ts';
import { money, perMillion, rounded, row } from './format.ts';
import { JOB_UNITS } from './job-units.ts';
import { costOf, KINDS, type Kind, SERVICES, type Service, unitsOf } from './kinds.ts';
import { ASSUMED, GB, PRICES } from './prices.ts';
import { rankingTable } from './rankings.ts';
import { RECORD_UNITS } from './record-units.ts';
import { idleQueues } from './relay.ts';
import {
  DAYS,
  MONTH_S,
  monthOf,
  PART_NAMES,
  type Part,
  PEAK,
  requestsInMonth,
  storedBytes,
  walkOf,
} from './users.ts';

/** Numbers of users of the tables. */
const SIZES: readonly number[] = [10_000, 1_000_000, 10_000_000];

/** Metrics that the alarms of a stage compute with; each costs as much as an alarm. */
export const ALARM_METRICS = 240;
/** The same of the alarms that roll new versions back, of a stage with canaries. */
export const RELEASE_ALARM_METRICS = 85;
/** Alarms over other alarms. */
export const COMPOSITE_ALARMS = 2;

/** Operations, each a route. Updated when they differ by a tenth, so that the tables change seldom. */
export const OPERATIONS = 209;
/** Operations that refused something in the month, which makes a metric of its own. Faults are few. */
const REFUSING_SHARE = 0.5;
/** Metrics that come from logs. */
export const METRICS_OF_LOGS = 7;

/** Metrics that are charged: those of each operation by outcome, and those that come from logs. */
const METRICS = OPERATIONS * (1 + REFUSING_SHARE) + METRICS_OF_LOGS;

/** Metrics of a route of API Gateway if a stage had detailed ones: calls, two kinds of errors, two times, bytes. */
const DETAILED_METRICS = 6;

/** Runs of a schedule in a month. */
const runsOf = (expression: string): number => {
  const minutes = Number(/^rate\((\d+) minutes?\)$/.exec(expression)?.[1]);
  if (!(minutes > 0)) throw new Error(`${expression} is not a rate of minutes`);
  return (DAYS * 24 * 60) / minutes;
};

/** Jobs with their runs of a month. The checks from outside are an option with costs of their own. */
const JOBS = FUNCTIONS.flatMap(({ trigger, memoryMb, onlyWith }) =>
  trigger.kind === 'schedule' && onlyWith !== 'canary'
    ? trigger.schedules.map(({ job, expression }) => {
        const units = JOB_UNITS[job];
        if (!units) throw new Error(`the job ${job} has no units in test/bench/costs/job-units.ts`);
        return { job, runs: runsOf(expression), gb: memoryMb / 1000, ...units };
      })
    : [],
);

/** Returns the costs of runs that find nothing to do, in a month. */
const idleJobs = (): number =>
  JOBS.reduce((sum, { runs, gb, idle }) => {
    const seconds = (ASSUMED.restMs + idle.calls * ASSUMED.callMs) / 1000;
    const run =
      PRICES.scheduledRun +
      PRICES.lambdaRequest +
      seconds * gb * PRICES.lambdaGbSecond +
      idle.read * PRICES.readUnit +
      (ASSUMED.logBytes / GB) * PRICES.logGb;
    return sum + runs * run;
  }, 0);

/** Costs of a month without any user. */
const FIXED: Readonly<Record<string, number>> = {
  'Metrics of operations and logs': METRICS * PRICES.metricMonth,
  'Alarms, dashboard':
    (ALARM_METRICS + RELEASE_ALARM_METRICS) * PRICES.alarmMonth +
    COMPOSITE_ALARMS * PRICES.compositeAlarmMonth +
    PRICES.dashboardMonth,
  'Jobs without work': idleJobs(),
  'Empty queues': idleQueues(DAYS),
  'Secret and key': PRICES.secretMonth + PRICES.keyMonth,
};

const sumOf = (numbers: Iterable<number>): number => {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
};

const columns = (count: number): string => row(['---', ...Array.from({ length: count }, () => '--:')]);

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), columns(head.length - 1), ...rows.map(row)].join('\n');

const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

/** Returns the costs of a million of each kind of work, in dollars, as Markdown. */
const kindTable = (): string =>
  table(
    [
      'A million times',
      'Read units',
      'Write units',
      'API',
      'Lambda',
      'DynamoDB',
      'Logs, traces',
      'Bus, queues',
      'Mail',
      'Together ($)',
    ],
    KINDS.map((kind) => {
      const { api, functions, reads, writes, logs, bus, mail } = costOf(kind);
      const { read, write } = unitsOf(kind);
      const all = api + functions + reads + writes + logs + bus + mail;
      return [
        kind,
        String(read),
        String(write),
        ...[api, functions, reads + writes, logs, bus, mail, all].map(perMillion),
      ];
    }),
  );

/** Item of the bill: a service for a kind of work, or one of the costs without users. */
interface Item {
  readonly name: string;
  readonly part: Part | undefined;
  readonly kind: Kind | undefined;
  readonly service: Service | 'storage' | 'fixed';
  readonly dollars: number;
}

/** Returns the bill of a month. */
export const billOf = (users: number): Item[] => [
  ...PART_NAMES.flatMap((part) =>
    [...monthOf(part, users)].flatMap(([kind, times]) => {
      const costs = costOf(kind);
      return SERVICES.map(
        (service): Item => ({ name: kind, part, kind, service, dollars: times * costs[service] }),
      );
    }),
  ),
  {
    name: 'storage with backup',
    part: undefined,
    kind: undefined,
    service: 'storage',
    dollars: (storedBytes(users) / GB) * (PRICES.storageGbMonth + PRICES.backupGbMonth),
  },
  ...Object.entries(FIXED).map(
    ([name, dollars]): Item => ({ name, part: undefined, kind: undefined, service: 'fixed', dollars }),
  ),
];

const totalOf = (bill: readonly Item[]): number => sumOf(bill.map(({ dollars }) => dollars));

const ROWS: readonly [string, (item: Item) => boolean][] = [
  ['API and transfer', ({ service }) => service === 'api'],
  ['Lambda', ({ service }) => service === 'functions'],
  ['DynamoDB, reads', ({ service }) => service === 'reads'],
  ['DynamoDB, writes', ({ service }) => service === 'writes'],
  ['DynamoDB, a year of data with backup', ({ service }) => service === 'storage'],
  ['Logs and traces', ({ service }) => service === 'logs'],
  ['Bus and queues', ({ service }) => service === 'bus'],
  ['Mail', ({ service }) => service === 'mail'],
  ['Monitoring, jobs, queues, keys', ({ service }) => service === 'fixed'],
];

/** Returns the costs of a month at several sizes, by service and by part, in dollars, as Markdown. */
const monthTable = (): string => {
  const months = SIZES.map((users) => ({
    users,
    bill: billOf(users),
    requests: requestsInMonth(users) / MONTH_S,
  }));
  const line = (name: string, cell: (month: (typeof months)[number]) => string): string[] => [
    name,
    ...months.map(cell),
  ];
  const partial = (name: string, isPart: (item: Item) => boolean): string[] =>
    line(name, ({ bill }) => money(totalOf(bill.filter(isPart))));
  return table(
    ['Users', ...SIZES.map((users) => users.toLocaleString('en'))],
    [
      line('Requests a second, on average', ({ requests }) => rounded(requests)),
      line(`Requests a second, at ${PEAK} times that`, ({ requests }) => rounded(PEAK * requests)),
      ...ROWS.map(([name, isPart]) => partial(name, isPart)),
      line('**Together, $ a month**', ({ bill }) => money(totalOf(bill))),
      line('$ a user and month', ({ bill, users }) => (totalOf(bill) / users).toFixed(4)),
      ...PART_NAMES.map((part) => partial(`of it ${part.toLowerCase()}`, (item) => item.part === part)),
    ],
  );
};

const SERVICE_NAMES: Readonly<Record<Item['service'], string>> = {
  api: 'API',
  functions: 'Lambda',
  reads: 'reads',
  writes: 'writes',
  logs: 'logs and traces',
  bus: 'bus and queues',
  mail: 'mail',
  storage: 'DynamoDB',
  fixed: 'fixed',
};

const TOP = 5;
const HOUR_S = 3600;

/** Returns the largest of some items of the bill at several sizes, with their part of it. */
const largestOf = (isItem: (item: Item) => boolean): string => {
  const tops = SIZES.map((users) => {
    const bill = billOf(users);
    const all = totalOf(bill);
    return bill
      .filter(isItem)
      .toSorted((left, right) => right.dollars - left.dollars)
      .slice(0, TOP)
      .map(({ name, service, dollars }) => `${name}, ${SERVICE_NAMES[service]}: ${percent(dollars / all)}`);
  });
  return table(
    ['', ...SIZES.map((users) => `${users.toLocaleString('en')} users`)],
    Array.from({ length: TOP }, (_, place) => [String(place + 1), ...tops.map((top) => top[place] ?? '')]),
  );
};

/** Returns the largest items of the bill, as Markdown. */
const largestTable = (): string => largestOf(() => true);

/** Returns the largest writes of the bill, as Markdown. */
const largestWrites = (): string => largestOf(({ service }) => service === 'writes');

/** Returns the costs of a month without any user, in dollars, as Markdown. */
const fixedTable = (): string =>
  table(
    ['Without any user', '$ a month'],
    [
      ...Object.entries(FIXED).map(([name, dollars]) => [name, money(dollars)]),
      ['Together', money(sumOf(Object.values(FIXED)))],
      [
        `Detailed metrics of API Gateway, which are off: ${DETAILED_METRICS} for each of ${OPERATIONS} routes`,
        `(${money(OPERATIONS * DETAILED_METRICS * PRICES.metricMonth)})`,
      ],
    ],
  );

/** Returns the runs of each job, and the units of a run without work and of one with a full page, as Markdown. */
const jobTable = (): string =>
  table(
    ['Job', 'Runs a month', 'Read units, idle', 'Full page', 'Read units', 'Write units'],
    JOBS.map(({ job, runs, idle, page, read, write }) => [
      `\`${job}\``,
      runs.toLocaleString('en'),
      String(idle.read),
      page.toLocaleString('en'),
      rounded(idle.read + page * read),
      rounded(page * write),
    ]),
  );

/** Returns the time and the costs of the walk that deletions of accounts share, in dollars, as Markdown. */
const walkTable = (): string => {
  const { api, functions, reads, writes, logs, bus, mail } = costOf('page of the walk for deletions');
  const page = api + functions + reads + writes + logs + bus + mail;
  const line = (name: string, cell: (users: number) => string): string[] => [name, ...SIZES.map(cell)];
  return table(
    ['Users', ...SIZES.map((users) => users.toLocaleString('en'))],
    [
      line('Table, GB', (users) => rounded(storedBytes(users) / GB)),
      line('Deletions a month', (users) => rounded(walkOf(users).deletions)),
      line('Pages of a round', (users) => rounded(walkOf(users).pages)),
      line('Hours of a round', (users) => rounded(walkOf(users).seconds / HOUR_S)),
      line('$ a round', (users) => money(walkOf(users).pages * page)),
      line('Rounds a month', (users) => rounded(walkOf(users).rounds)),
      line('**Together, $ a month**', (users) => money(walkOf(users).rounds * walkOf(users).pages * page)),
      line('Hours until an account is gone, at most', (users) => rounded(walkOf(users).longest / HOUR_S)),
    ],
  );
};

/** Listed strategies of the table of track records. */
const RECORDS = 100_000;

/** Returns the costs of the track records of 100,000 listed strategies, in dollars, as Markdown. */
const recordTable = (): string =>
  table(
    ['Track records of 100,000 strategies', 'Read units a day', 'Write units a day', '$ a month'],
    Object.entries(RECORD_UNITS).map(([bars, { calls, read, write }]) => {
      const seconds = (ASSUMED.restMs + calls * ASSUMED.callMs) / 1000;
      const day =
        read * PRICES.readUnit +
        write * PRICES.writeUnit +
        PRICES.busEvent +
        PRICES.lambdaRequest +
        seconds * ASSUMED.jobGb * PRICES.lambdaGbSecond;
      return [bars, rounded(read), rounded(write), money(day * RECORDS * DAYS)];
    }),
  );

/** The tables of infra/COSTS.md, in its order. */
export const COST_TABLES: readonly (() => string)[] = [
  monthTable,
  largestTable,
  largestWrites,
  fixedTable,
  jobTable,
  kindTable,
  walkTable,
  rankingTable,
  recordTable,
];
