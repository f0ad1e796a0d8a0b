import { SLOTS } from '../../../functions/events/common/waiting.ts';
import { KINDS, type Kind, millisecondsOf, wayOf } from './kinds.ts';
import { ASSUMED } from './prices.ts';

/**
 * Model of users: what a number of registered users does in a month. `npm run costs` prices it, and
 * `npm run simulate` compares it with limits. Each number is an assumption with its reason.
 */
export const DAYS = 30;
const DAY_S = 86_400;
export const MONTH_S = DAYS * DAY_S;

/** Users who are active on a day. Apps for trading see a tenth to a quarter of their users daily. */
const ACTIVE_SHARE = 0.2;
/** Peak of requests, in multiples of the average. People of one continent are awake for a third of the day. */
export const PEAK = 4;
/**
 * Peak of trading, in multiples of the average. Exchanges of shares are open for 19 % of the month, and their first
 * half-hour has twice the trades.
 */
const TRADING_PEAK = 10;

/** Lists the requests of an active user on a day in an app. */
const DAY: Readonly<Partial<Record<Kind, number>>> = {
  'sign in': 0.3,
  'check a session': 2,
  // A session is renewed every 15 minutes of use.
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
  backtest: 0.2,
};
/** New users of a month, as a part of all: a tenth, since people come and go. */
const NEW_SHARE = 0.1;
/** Mails to a new user: the code that confirms the e-mail, and what acts for the account since. */
const MAILS_OF_NEW = 2;
/**
 * Users who have their account deleted in a month, as a part of all: one in two thousand. Most people who leave a service
 * just stay away.
 */
const DELETED_SHARE = 0.0005;
/** Rounds of the walk that a deletion takes part in: one removes, the next one finds nothing. */
const ROUNDS_OF_DELETION = 2;
/** A page of the walk, and the part of the time in which a run every minute reads pages. */
const PAGE_BYTES = 2 ** 20;
const WALKING_SHARE = 45 / 60;
/** Pause after a round, in times of its length and at most (`shared/lifecycle/deletion-walk.ts`). */
const PAUSE_TIMES = 3;
const MAX_PAUSE_S = DAY_S;

/** Signals of a day to an active user, half of them from programs of the hub. Each is a mail. */
const SIGNALS = 3;
const HUB_SIGNALS = 0.5;

/** Requests that come from a web app of another origin: half; others come from phones or the console. */
const CROSS_ORIGIN_SHARE = 0.5;
/** Preflights for each of them: an answer is kept for an hour, but for one address with its query. */
const PREFLIGHTS = 0.5;

/** Active users who open the console, and its minutes on a screen. The others use apps and brokers' sites. */
const CONSOLE_SHARE = 0.2;
const CONSOLE_MINUTES = 10;
/** Part of the minutes on a screen with marks, which reads two operations every 15 seconds. */
const MARKS_SHARE = 0.5;
const MARKS_A_MINUTE = 4;
/** Seconds between two looks for events while all places of waiting requests are taken. */
const LOOK_S = 15;
/** Users whose deployments record events: those who opened the console in the last 30 days. */
const LISTENING_SHARE = 0.1;

/** Running accounts for each user: on paper, at engines outside, at brokers by the hub's own adapter. */
const PAPER_ACCOUNTS = 0.1;
const ENGINE_ACCOUNTS = 0.01;
const BROKER_ACCOUNTS = 0.005;
/** Trades of an account on a trading day, each of two orders. Half of the programs have hours or days as bars. */
const TRADES_A_DAY = 0.5;
/** Share of the time that an account is in a trade. */
const IN_TRADE = 0.25;
/** Quotes that an engine outside sends for a position in a minute. */
const QUOTES_A_MINUTE = 1;
/** Orders that are still open after the adapter's first looks, and how often it then looks. */
const RESTING_SHARE = 0.3;
const RESTING_LOOKS = 10;
/** Accounts whose owner has a device for push messages. Each fill is one. */
const PUSH_SHARE = 0.5;
/** Accounts that are opened in a month, as a part of those that run: people try for some weeks. */
const STARTED_SHARE = 1;

/** Accounts and scanners that share a program: strategies are copied more often than built. */
const SHARERS = 20;
const SCANNERS = 0.02;
const UNIVERSE = 50;
/** Closes at which a scanner finds something. */
const MATCHING_SHARE = 0.05;
const MATCHES = 10;
/** Series of a feed: one for each ten programs, up to the liquid instruments of a few exchanges. */
const PROGRAMS_A_SERIES = 10;
const MAX_SERIES = 2_000;
/** Bars between two stored states of an account in a trade. */
const SAVE_BARS = 256;
/** Share of bars on which the container's programs are older than their saved states: some ten containers at work. */
const RELOADED = 0.4;

/** Markets: their part of the accounts, minutes and bars of an hour and of a day on a trading day, trading days. */
const MARKETS = [
  { share: 0.7, minutes: 390, hours: 7, days: 21 },
  { share: 0.3, minutes: 1440, hours: 24, days: 30 },
] as const;

/** Programs by timeframe, in bars of a trading day. Hours and days are chosen more often than minutes. */
const PROGRAM_TIMEFRAMES = [
  { share: 0.1, bars: ({ minutes }: { minutes: number }) => minutes },
  { share: 0.2, bars: ({ minutes }: { minutes: number }) => minutes / 5 },
  { share: 0.2, bars: ({ minutes }: { minutes: number }) => minutes / 15 },
  { share: 0.25, bars: ({ hours }: { hours: number }) => hours },
  { share: 0.25, bars: () => 1 },
] as const;
/** The same of scanners: people look at them by the hour or by the day. */
const SCANNER_TIMEFRAMES = [
  { share: 0.5, bars: ({ hours }: { hours: number }) => hours },
  { share: 0.5, bars: () => 1 },
] as const;

type Market = (typeof MARKETS)[number];

/** Returns the average over markets of something that happens on a trading day, for a month. */
const inMonth = (onDay: (market: Market) => number): number =>
  MARKETS.reduce((sum, market) => sum + market.share * market.days * onDay(market), 0);

const barsOf = (
  timeframes: readonly { readonly share: number; readonly bars: (market: Market) => number }[],
): number => inMonth((market) => timeframes.reduce((sum, { share, bars }) => sum + share * bars(market), 0));

const TRADING_DAYS = inMonth(() => 1);
const TRADING_MINUTES = inMonth(({ minutes }) => minutes);
const PROGRAM_BARS = barsOf(PROGRAM_TIMEFRAMES);
const SCANNER_BARS = barsOf(SCANNER_TIMEFRAMES);

/** Returns how many consoles are open at once, on average. */
const consolesOf = (users: number): number =>
  (users * ACTIVE_SHARE * CONSOLE_SHARE * CONSOLE_MINUTES * 60) / DAY_S;

/** Returns how many consoles wait for events at once, at the peak, for a user. */
export const WAITING_AT_PEAK = PEAK * consolesOf(1);

interface Accounts {
  readonly paper: number;
  readonly engine: number;
  readonly broker: number;
}

/** Returns the accounts that run. */
export const accountsOf = (users: number): Accounts => ({
  paper: users * PAPER_ACCOUNTS,
  engine: users * ENGINE_ACCOUNTS,
  broker: users * BROKER_ACCOUNTS,
});

/** Returns what users do in apps and in the console. */
const requestsOf = (users: number): Partial<Record<Kind, number>> => {
  const days = users * ACTIVE_SHARE * DAYS;
  const asked = Object.fromEntries(Object.entries(DAY).map(([kind, times]) => [kind, times * days]));
  const perDay = Object.values(DAY).reduce((sum, times) => sum + times, 0);
  const minutes = days * CONSOLE_SHARE * CONSOLE_MINUTES;
  const open = consolesOf(users);
  const waiting = Math.min(open, SLOTS);
  const marked = minutes * MARKS_SHARE * MARKS_A_MINUTE;
  return {
    ...asked,
    register: users * NEW_SHARE,
    'confirm the e-mail': users * NEW_SHARE,
    preflight: days * perDay * CROSS_ORIGIN_SHARE * PREFLIGHTS,
    'page of own deployments': marked,
    'overview of own accounts': marked,
    'number of unread notifications': minutes,
    'state of the kill switch': minutes,
    'wait for events': (waiting * MONTH_S) / ASSUMED.waitS,
    'page of change events': ((open - waiting) * MONTH_S) / LOOK_S,
  };
};

const signalsOf = (users: number): Partial<Record<Kind, number>> => {
  const signals = users * ACTIVE_SHARE * DAYS * SIGNALS;
  const outside = signals * (1 - HUB_SIGNALS);
  const heard = outside * LISTENING_SHARE;
  const codes = (DAY['ask for a code'] ?? 0) * users * ACTIVE_SHARE * DAYS;
  return {
    'signal of an engine, with a mail': outside - heard,
    'signal of an engine, with a listener': heard,
    'signal to a deployment': signals * HUB_SIGNALS,
    'move of its event into the log': signals * LISTENING_SHARE,
    'delivery of a mail': signals + codes + users * NEW_SHARE * MAILS_OF_NEW,
  };
};

const tradingOf = (users: number): Partial<Record<Kind, number>> => {
  const { paper, engine, broker } = accountsOf(users);
  const scanners = users * SCANNERS;
  const accounts = paper + broker;
  const programs = accounts / SHARERS;
  const scanning = (scanners / SHARERS) * UNIVERSE;
  const bars = Math.min(MAX_SERIES, programs / PROGRAMS_A_SERIES) * TRADING_MINUTES;
  const steps = programs * PROGRAM_BARS + scanning * SCANNER_BARS;
  const trades = accounts * TRADES_A_DAY * TRADING_DAYS;
  const held = accounts * PROGRAM_BARS * IN_TRADE;
  const orders = 2 * engine * TRADES_A_DAY * TRADING_DAYS;
  const sent = 2 * broker * TRADES_A_DAY * TRADING_DAYS;
  const runs = scanners * SCANNER_BARS;
  return {
    'bar of a series': bars,
    'series, for a watermark': bars,
    'program, for a bar': steps,
    'program that a container loads': steps * RELOADED,
    'start of a paper deployment': accounts * STARTED_SHARE,
    'entry of a paper account': trades,
    'lists after an entry': trades,
    'account in a trade, for a bar': held,
    'account in a trade, saved': held / SAVE_BARS,
    'exit of a paper account': trades,
    'lists after an exit': trades,
    'match for scanners': (runs * MATCHING_SHARE * MATCHES) / SHARERS,
    'run of a scanner without a match': runs * (1 - MATCHING_SHARE),
    'run of a scanner with ten matches': runs * MATCHING_SHARE,
    'order of an engine, open': orders,
    // A broker reports an order of the hub when it takes and when it fills it.
    'fill of an order': orders + 2 * sent,
    'lists after an order': 2 * orders + 2 * sent,
    'quote of an engine': engine * TRADING_MINUTES * IN_TRADE * QUOTES_A_MINUTE,
    'order through the adapter': sent,
    'order that the adapter follows': sent * RESTING_SHARE * RESTING_LOOKS,
    'comparison of an account': broker * DAYS,
    'change events of an order': LISTENING_SHARE * (2 * trades + 2 * orders + 2 * sent),
    // Pushes for fills, and the requests to the adapter.
    'delivery of a message': PUSH_SHARE * (2 * trades + orders) + sent,
  };
};

/** Returns the walk that deletions of accounts share: deletions and rounds of a month, pages and seconds of a round. */
export const walkOf = (users: number) => {
  const pages = storedBytes(users) / PAGE_BYTES;
  const seconds = (pages * millisecondsOf('page of the walk for deletions')) / 1000 / WALKING_SHARE;
  const pause = Math.min(PAUSE_TIMES * seconds, MAX_PAUSE_S);
  const deletions = users * DELETED_SHARE;
  // Those who leave meanwhile share a round.
  const rounds = Math.min(ROUNDS_OF_DELETION * deletions, MONTH_S / (seconds + pause));
  // Comes right after the start of a round, then takes part in two.
  return { deletions, pages, seconds, rounds, longest: ROUNDS_OF_DELETION * (seconds + pause) + seconds };
};

/** Rounds of jobs over all users and accounts. */
const roundsOf = (users: number): Partial<Record<Kind, number>> => {
  const { paper, engine, broker } = accountsOf(users);
  const all = paper + engine + broker;
  const weeks = DAYS / 7;
  const walk = walkOf(users);
  return {
    'equity day of a deployment': all * DAYS,
    // Brokers charge real accounts themselves.
    'swaps of a deployment': (paper * IN_TRADE + engine * IN_TRADE) * TRADING_DAYS,
    'reconciling a user': users * weeks,
    'reconciling a trading deployment': all * weeks,
    'page of the walk for deletions': walk.rounds * walk.pages,
  };
};

/** Parts of the model, in the order of the tables. */
const PARTS = {
  'Apps and console': requestsOf,
  'Signals and mails': signalsOf,
  Trading: tradingOf,
  'Daily and weekly rounds': roundsOf,
} as const;

export type Part = keyof typeof PARTS;

export const PART_NAMES: readonly Part[] = Object.keys(PARTS).filter((part): part is Part => part in PARTS);

/** Returns how often each kind of work of a part happens in a month. */
export const monthOf = (part: Part, users: number): ReadonlyMap<Kind, number> => {
  const times = PARTS[part](users);
  return new Map(KINDS.flatMap((kind): [Kind, number][] => (times[kind] ? [[kind, times[kind]]] : [])));
};

/**
 * Returns how often a second each kind of work happens at the peak: people are as busy as a multiple of them on average,
 * bars and trades come faster. Rounds of jobs have no peak, since they take their time.
 */
export const peakOf = (users: number): ReadonlyMap<Kind, number> => {
  const ofPeople = (['Apps and console', 'Signals and mails'] as const).flatMap((part) => [
    ...monthOf(part, PEAK * users),
  ]);
  const ofTrading = [...monthOf('Trading', users)].map(([kind, times]): [Kind, number] => [
    kind,
    TRADING_PEAK * times,
  ]);
  return new Map([...ofPeople, ...ofTrading].map(([kind, times]) => [kind, times / MONTH_S]));
};

/** Returns the requests of the HTTP API in a month. */
export const requestsInMonth = (users: number): number =>
  [...monthOf('Apps and console', users)].reduce(
    (sum, [kind, times]) => sum + times * wayOf(kind).requests,
    0,
  );

/** Stored data: of a user (sessions, strategies, cards, notifications), of an account, of a trade, of a bar. */
const USER_BYTES = 40_000;
const ACCOUNT_BYTES = 12_000;
const TRADE_BYTES = 6_000;
const BAR_BYTES = 6;
/** Months of which trades and bars are kept. */
const MONTHS_KEPT = 12;

/** Returns the bytes that users have in the table after a year. */
export const storedBytes = (users: number): number => {
  const { paper, engine, broker } = accountsOf(users);
  const accounts = paper + engine + broker;
  const trades = accounts * TRADES_A_DAY * TRADING_DAYS * MONTHS_KEPT;
  const bars = (monthOf('Trading', users).get('bar of a series') ?? 0) * MONTHS_KEPT;
  return users * USER_BYTES + accounts * ACCOUNT_BYTES + trades * TRADE_BYTES + bars * BAR_BYTES;
};
