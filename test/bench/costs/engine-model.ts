import { ENGINE_KINDS, ENGINE_UNITS, type EngineKind } from './engine-units.ts';
import { money, perMillion, rounded, row } from './format.ts';
import { ASSUMED, GB, PRICES } from './prices.ts';
import { RELAYED } from './relay.ts';

/** Series of a feed that one watermark is for. */
const SERIES_PER_WATERMARK = 50;

/** Runs of a function that a kind takes; the others are part of the run of a bar. */
const RUNS: Readonly<Partial<Record<EngineKind, number>>> = {
  'bar of a series': 1,
  'series, for a watermark': 1 / SERIES_PER_WATERMARK,
  'start of a paper deployment': 1,
  'lists after an entry': 1,
  'lists after an exit': 1,
};

/** Events on the bus. */
const EVENTS: Readonly<Partial<Record<EngineKind, number>>> = {
  'bar of a series': 1,
  'series, for a watermark': 1 / SERIES_PER_WATERMARK,
  'start of a paper deployment': 1,
};

/** Kinds that a message of the outbox causes. */
const RELAYED_KINDS: readonly EngineKind[] = ['lists after an entry', 'lists after an exit'];

/** Milliseconds of CPU that a program takes for a bar. */
const PROGRAM_MS = 0.05;

/** Costs of one of a kind, by service. */
const costOf = (kind: EngineKind) => {
  const { calls, read, write } = ENGINE_UNITS[kind];
  const runs = RUNS[kind] ?? 0;
  const relay = RELAYED_KINDS.includes(kind) ? RELAYED : { functions: 0, logs: 0, queue: 0 };
  const ms =
    runs * ASSUMED.restMs + calls * ASSUMED.callMs + (kind === 'program, for a bar' ? PROGRAM_MS : 0);
  return {
    functions:
      relay.functions + runs * PRICES.lambdaRequest + (ms / 1000) * ASSUMED.gb * PRICES.lambdaGbSecond,
    table: read * PRICES.readUnit + write * PRICES.writeUnit,
    logs: relay.logs + runs * ((ASSUMED.logBytes / GB) * PRICES.logGb + ASSUMED.tracedShare * PRICES.trace),
    bus: relay.queue + (EVENTS[kind] ?? 0) * PRICES.busEvent,
  };
};

type Service = keyof ReturnType<typeof costOf>;

/** The month of the table. */
const SYMBOLS = 50;
const PROGRAMS = 500;
const DEPLOYMENTS = 10_000;
const TRADES_A_DAY = 1;
/** Share of the time that an account is in a trade. */
const IN_TRADE = 0.25;
/** Bars between two stored states of an account in a trade. */
const SAVE_BARS = 256;
/** Share of bars on which the container's programs are older than their saved states: some ten containers at work. */
const RELOADED = 0.4;
/** Stored per deployment, and per trade: orders, entries of lists, history. */
const DEPLOYMENT_BYTES = 12_000;
const TRADE_BYTES = 6000;
/** Packed bytes of a bar. */
const BAR_BYTES = 6;

const MARKETS = {
  Equities: { bars: 390, days: 21 },
  'Around the clock': { bars: 1440, days: 30 },
} as const;

type Market = (typeof MARKETS)[keyof typeof MARKETS];

/** Returns how often each kind happens in the month. */
const timesOf = ({ bars, days }: Market): Partial<Record<EngineKind, number>> => {
  const each = bars * days;
  const trades = DEPLOYMENTS * TRADES_A_DAY * days;
  const held = DEPLOYMENTS * each * IN_TRADE;
  return {
    'bar of a series': SYMBOLS * each,
    'series, for a watermark': SYMBOLS * each,
    'program, for a bar': PROGRAMS * each,
    'program that a container loads': PROGRAMS * each * RELOADED,
    'entry of a paper account': trades,
    'lists after an entry': trades,
    'account in a trade, for a bar': held,
    'account in a trade, saved': held / SAVE_BARS,
    'exit of a paper account': trades,
    'lists after an exit': trades,
  };
};

const storageOf = ({ bars, days }: Market): number => {
  const bytes =
    DEPLOYMENTS * (DEPLOYMENT_BYTES + TRADE_BYTES * TRADES_A_DAY * days) + SYMBOLS * bars * days * BAR_BYTES;
  return (bytes / GB) * (PRICES.storageGbMonth + PRICES.backupGbMonth);
};

const totalOf = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);

/** Returns the costs of a million of each kind of the engine's work, in dollars, as Markdown. */
export const engineTable = (): string =>
  [
    row([
      'A million times',
      'Read units each',
      'Write units each',
      'Lambda',
      'DynamoDB',
      'Logs, traces',
      'Bus, queues',
      'Together ($)',
    ]),
    row(['---', ...Array.from({ length: 7 }, () => '--:')]),
    ...ENGINE_KINDS.map((kind) => {
      const { functions, table, logs, bus } = costOf(kind);
      const { read, write } = ENGINE_UNITS[kind];
      return row([
        kind,
        String(read),
        String(write),
        ...[functions, table, logs, bus, functions + table + logs + bus].map(perMillion),
      ]);
    }),
  ].join('\n');

/** Returns the costs of the engine in a month of trading on paper, in dollars, as Markdown. */
export const engineMonthTable = (): string => {
  const months = Object.values(MARKETS).map((market) => {
    const times = timesOf(market);
    const cost = (kinds: readonly EngineKind[], services: readonly Service[]): number =>
      kinds.reduce(
        (sum, kind) =>
          sum + services.reduce((part, service) => part + (times[kind] ?? 0) * costOf(kind)[service], 0),
        0,
      );
    const work: readonly Service[] = ['functions', 'table'];
    const parts = {
      bars: cost(['bar of a series', 'series, for a watermark'], work),
      programs: cost(['program, for a bar', 'program that a container loads'], work),
      held: cost(['account in a trade, for a bar', 'account in a trade, saved'], work),
      trades: cost(['entry of a paper account', 'exit of a paper account'], work),
      lists: cost(['lists after an entry', 'lists after an exit'], work),
      logs: cost(ENGINE_KINDS, ['logs']),
      bus: cost(ENGINE_KINDS, ['bus']),
      storage: storageOf(market),
    };
    return { times, parts };
  });
  const column = (name: string, cell: (month: (typeof months)[number]) => string): string =>
    row([name, ...months.map(cell)]);
  const count = (kind: EngineKind) => (month: (typeof months)[number]) => rounded(month.times[kind] ?? 0);
  return [
    row(['A month', ...Object.keys(MARKETS)]),
    row(['---', ...months.map(() => '--:')]),
    column('Bars', count('bar of a series')),
    column('Bars of programs', count('program, for a bar')),
    column('Trades of accounts', count('entry of a paper account')),
    column('Bars and watermarks', ({ parts }) => money(parts.bars)),
    column('Programs', ({ parts }) => money(parts.programs)),
    column('Accounts in a trade', ({ parts }) => money(parts.held)),
    column('Entries and exits', ({ parts }) => money(parts.trades)),
    column('Lists of their owners', ({ parts }) => money(parts.lists)),
    column('Logs and traces', ({ parts }) => money(parts.logs)),
    column('Bus and queues', ({ parts }) => money(parts.bus)),
    column('Storage with backup', ({ parts }) => money(parts.storage)),
    column('Together, $ a month', ({ parts }) => money(totalOf(parts))),
    column('$ a deployment and month', ({ parts }) => (totalOf(parts) / DEPLOYMENTS).toFixed(4)),
  ].join('\n');
};
