import { createHash } from 'node:crypto';
import { readEmail } from '../../domain/email.ts';
import type { Key } from './writes.ts';

/** Hashes a text. Keys reach error messages, so they contain no e-mail; the hash also bounds their length. */
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Returns the stored form of an e-mail. Another text names no account. */
export const normaliseEmail = (email: string): string => readEmail(email) ?? email.trim();

/** Bounds an identifier for use in a key. Identifiers over 64 characters are unknown ones; they are hashed. */
export const bounded = (id: string): string => (id.length > 64 ? digest(id) : id);

const userPartition = (userId: string): string => `USER#${bounded(userId)}`;

const emailPartition = (email: string): string => `EMAIL#${digest(normaliseEmail(email))}`;

/** Digits of the largest safe integer. Padded identifiers sort as text in numeric order. */
const ID_DIGITS = 16;

const sortable = (id: number): string => String(id).padStart(ID_DIGITS, '0');

/** Kinds of subscribers to a program: account without a trade, account with one, notification deployment, scanner. */
export type SubscriberKind = 'F' | 'A' | 'N' | 'S';

const seriesPartition = (symbol: string, timeframe: string): string => `SERIES#${symbol}#${timeframe}`;

/** Scanners run on the watermarks of a feed for the smaller bars that it sends: `<timeframe>#<source>`. */
const scannersPartition = (timeframe: string, feed: string): string => `SCANNERS#${timeframe}#${feed}`;

/** Builds the key of every item, by its access pattern. */
export const keys = {
  /** A user, by the user_id that the caller presents. */
  user: (userId: string): Key => ({ pk: userPartition(userId), sk: 'USER' }),
  /** The credentials of an e-mail; also makes e-mails unique. */
  credentials: (email: string): Key => ({ pk: emailPartition(email), sk: 'CREDENTIALS' }),
  /** The one-time code last sent to an e-mail for a purpose. */
  oneTimeCode: (email: string, purpose: string): Key => ({
    pk: emailPartition(email),
    sk: `CODE#${purpose}`,
  }),
  /** The owner of a referral code. */
  referral: (code: string): Key => ({ pk: `REFERRAL#${digest(code.toUpperCase())}`, sk: 'REFERRAL' }),
  /** The user behind a subject of an identity provider. */
  identity: (issuer: string, subject: string): Key => ({
    pk: `IDENTITY#${digest(JSON.stringify([issuer, subject]))}`,
    sk: 'IDENTITY',
  }),
  /** A client application, by the fingerprint of its key. */
  client: (fingerprint: string): Key => ({ pk: `CLIENT#${fingerprint}`, sk: 'CLIENT' }),
  /** A white-label broker, by its sub-domain. */
  broker: (subdomain: string): Key => ({ pk: `BROKER#${digest(subdomain.toLowerCase())}`, sk: 'BROKER' }),
  /** A white-label broker that sign-in pages offer; all share one partition, so one Query lists them. */
  listedBroker: (subdomain: string): Key => ({ pk: 'BROKERS', sk: digest(subdomain.toLowerCase()) }),
  /** A white-label broker, by its guid. */
  brokerGuid: (guid: string): Key => ({ pk: `BROKER_GUID#${digest(guid.toLowerCase())}`, sk: 'BROKER_GUID' }),
  /** The user linked to a broker's account. */
  brokerAccount: (subdomain: string, serverId: number | undefined, accountId: string): Key => ({
    pk: `BROKER_ACCOUNT#${digest(JSON.stringify([subdomain.toLowerCase(), serverId ?? null, accountId]))}`,
    sk: 'BROKER_ACCOUNT',
  }),
  /** The mark that a partner token was used. */
  partnerToken: (tokenId: string): Key => ({ pk: `PARTNER_TOKEN#${digest(tokenId)}`, sk: 'PARTNER_TOKEN' }),
  /** The second factors of a user. */
  factors: (userId: string): Key => ({ pk: userPartition(userId), sk: 'FACTORS' }),
  /** The user of a passkey, by its credential id. */
  passkey: (credentialId: string): Key => ({ pk: `PASSKEY#${digest(credentialId)}`, sk: 'PASSKEY' }),
  /** The mark that a challenge for a passkey was used. */
  passkeyChallenge: (challenge: string): Key => ({
    pk: `PASSKEY_CHALLENGE#${digest(challenge)}`,
    sk: 'PASSKEY_CHALLENGE',
  }),
  /** The push devices of a user. */
  pushRegistrations: (userId: string): Key => ({ pk: userPartition(userId), sk: 'PUSH' }),
  /** The user of the device that a push key belongs to. */
  pushKey: (pushKey: string): Key => ({ pk: `PUSH_KEY#${digest(pushKey)}`, sk: 'PUSH_KEY' }),
  /** An authorization at partner C in progress, by its OAuth state. */
  partnerCState: (state: string): Key => ({ pk: `PARTNERC_STATE#${digest(state)}`, sk: 'PARTNERC_STATE' }),
  /** A user's connection to partner C. */
  partnerCConnection: (userId: string): Key => ({ pk: userPartition(userId), sk: 'PARTNERC' }),
  /** A user's connection to an account that orders are executed on; pass `''` for the start of the range. */
  executionConnection: (userId: string, accountId: string): Key => ({
    pk: userPartition(userId),
    sk: `EXECUTION#${bounded(accountId)}`,
  }),
  /** An order that an execution adapter has taken over, by its id at the broker. */
  executionOrder: (brokerClientId: string): Key => ({
    pk: `EXECUTION_ORDER#${bounded(brokerClientId)}`,
    sk: 'ORDER',
  }),
  /**
   * The protection of a trade at its broker, by the order that opened it; pass `''` for the start of the range of a
   * symbol, or of the deployment.
   */
  protection: (deploymentId: number, symbol: string, entry: string): Key => ({
    pk: `DEPLOYMENT#${deploymentId}`,
    sk: `PROTECTION#${symbol === '' ? '' : `${symbol}#${entry}`}`,
  }),
  /** A connection to partner C that no user has claimed yet. */
  unclaimedPartnerCConnection: (connectionId: string): Key => ({
    pk: `PARTNERC#${digest(connectionId)}`,
    sk: 'PARTNERC',
  }),
  /** A message that waits for its delivery. */
  outbox: (deliveryId: string): Key => ({ pk: `OUTBOX#${deliveryId}`, sk: 'OUTBOX' }),
  /**
   * A commit whose change events wait for their logs; those of a deployment sort by `number`. Deployment 0: changes that
   * concern none.
   */
  pendingChange: (source: string, deploymentId: number, number: number, id = ''): Key => ({
    pk: `CHANGES#${bounded(source)}`,
    sk: `${sortable(deploymentId)}#${sortable(number)}${id}`,
  }),
  /** An entry of a log of change events. */
  changeEntry: (log: string, position: number): Key => ({ pk: `CHANGE_LOG#${log}`, sk: sortable(position) }),
  /** The head of a log of change events: its last position. */
  changeLog: (log: string): Key => ({ pk: `CHANGE_LOG#${log}`, sk: 'HEAD' }),
  /** The time until which somebody listens to a log of change events. */
  changeListening: (log: string): Key => ({ pk: `CHANGE_LOG#${log}`, sk: 'LISTENING' }),
  /** A slot for a request that waits for change events. */
  changeWaits: (): Key => ({ pk: 'CHANGE_WAITS', sk: 'CHANGE_WAITS' }),
  /** The stored answer to a request that carried an Idempotency-Key. */
  idempotency: (scope: string, key: string): Key => ({
    pk: `IDEMPOTENCY#${digest(JSON.stringify([scope, key]))}`,
    sk: 'IDEMPOTENCY',
  }),
  strategy: (strategyId: number): Key => ({ pk: `STRATEGY#${strategyId}`, sk: 'STRATEGY' }),
  /** Rules, by their hash. Strategies with the same rules share them. */
  rules: (hash: string): Key => ({ pk: `RULES#${bounded(hash)}`, sk: 'RULES' }),
  /** The last versions of a strategy's rules. */
  rulesHistory: (strategyId: number): Key => ({ pk: `STRATEGY#${strategyId}`, sk: 'RULES_HISTORY' }),
  /** A strategy in its owner's list, sorted by age; pass `''` for the start of the range. */
  ownedStrategy: (userId: string, strategyId: number | ''): Key => ({
    pk: userPartition(userId),
    sk: `STRATEGY#${strategyId === '' ? '' : sortable(strategyId)}`,
  }),
  /** The mark that makes strategy names unique per user. */
  strategyName: (userId: string, name: string): Key => ({
    pk: userPartition(userId),
    sk: `STRATEGY_NAME#${digest(name)}`,
  }),
  /** A strategy that a user likes; pass `''` for the start of the range. */
  favourite: (userId: string, strategyId: number | ''): Key => ({
    pk: userPartition(userId),
    sk: `FAVOURITE#${strategyId === '' ? '' : sortable(strategyId)}`,
  }),
  /** The sets of strategies that a user likes and has copied, for the flags that lists show. */
  strategyMarks: (userId: string): Key => ({ pk: userPartition(userId), sk: 'STRATEGY_MARKS' }),
  /** The number of listed strategies per category of the explore catalogue. */
  categories: (): Key => ({ pk: 'CATEGORIES', sk: 'CATEGORIES' }),
  /** The best strategies of the catalogue in an order, of a category or all. */
  ranking: (category: string, order: string): Key => ({ pk: `RANKING#${category}#${order}`, sk: 'RANKING' }),
  /** Strategies of a category that a round of the ranking has found so far. */
  rankingPool: (category: string): Key => ({ pk: 'RANKING_POOLS', sk: category }),
  /** A strategy under one prefix of its words, ranked by likes. */
  strategySearch: (beginning: string, rank: number, strategyId: number): Key => ({
    pk: `STRATEGY_SEARCH#${beginning}`,
    sk: `${String(rank).padStart(2, '0')}#${sortable(strategyId)}`,
  }),
  deployment: (deploymentId: number): Key => ({ pk: `DEPLOYMENT#${deploymentId}`, sk: 'DEPLOYMENT' }),
  /** A trading deployment as its owner's lists show it. Running ones sort after ended ones. */
  listedTrading: (userId: string, ended: boolean, deploymentId: number): Key => ({
    pk: userPartition(userId),
    sk: `LIVE#${ended ? 0 : 1}#${sortable(deploymentId)}`,
  }),
  /** Totals of a user's ended trading deployments per scope: a strategy, or all of a market. */
  tradingTotals: (userId: string, scope: string): Key => ({
    pk: userPartition(userId),
    sk: `LIVE_TOTALS#${scope}`,
  }),
  /** A listed strategy by its name, in the partition of names with the same first letters. */
  strategyTitle: (partition: string, title: string, strategyId: number): Key => ({
    pk: `STRATEGY_TITLE#${partition}`,
    sk: `${title}#${sortable(strategyId)}`,
  }),
  /** A dummy user; all share one partition, sorted by age. */
  dummyUser: (id: string): Key => ({ pk: 'DUMMY_USERS', sk: id }),
  instrument: (symbol: string): Key => ({ pk: `INSTRUMENT#${symbol}`, sk: 'INSTRUMENT' }),
  /**
   * A search text of an instrument, in the partition of its asset class and first letter.
   * The separator sorts before letters and digits, so exact matches come first.
   */
  instrumentSearch: (
    scope: string,
    assetClass: string,
    entry: { readonly rank: number; readonly text: string },
    symbol: string,
  ): Key => ({
    pk: `INSTRUMENT_SEARCH#${scope}#${assetClass}#${String.fromCodePoint(entry.text.codePointAt(0) ?? 0)}`,
    sk: `${entry.rank}#${entry.text} #${symbol}`,
  }),
  /** An instrument that a broker (by its slug) offers, by the hub's symbol. */
  brokerTicker: (slug: string, symbol: string): Key => ({ pk: `BROKER_TICKERS#${slug}`, sk: symbol }),
  /** A retail broker; all share one partition, so one Query lists them. */
  retailBroker: (slug: string): Key => ({ pk: 'RETAIL_BROKERS', sk: slug }),
  /** The head of a series of candles: facts and newest bars. */
  series: (symbol: string, timeframe: string): Key => ({
    pk: seriesPartition(symbol, timeframe),
    sk: 'TAIL',
  }),
  /** Candles of a span that new ones are appended to. */
  openCandles: (symbol: string, timeframe: string, day: string): Key => ({
    pk: seriesPartition(symbol, timeframe),
    sk: `DAY#${day}`,
  }),
  /** Candles of a past or imported span. */
  sealedCandles: (symbol: string, timeframe: string, day: string): Key => ({
    pk: seriesPartition(symbol, timeframe),
    sk: `P#${day}`,
  }),
  /** Candles of a span that arrived after later ones. */
  candleCorrections: (symbol: string, timeframe: string, day: string): Key => ({
    pk: seriesPartition(symbol, timeframe),
    sk: `FIX#${day}`,
  }),
  /** Candles of an event that wait for the one before, by their first and last start; pass `''` for an end of the range. */
  waitingBars: (symbol: string, timeframe: string, first: number, last: number | ''): Key => ({
    pk: seriesPartition(symbol, timeframe),
    sk: `WAITS#${sortable(first)}#${last}`,
  }),
  /** The last price of a symbol: the close of its newest bar of any series. */
  lastPrice: (symbol: string): Key => ({ pk: `LAST#${symbol}`, sk: 'PRICE' }),
  /** A backtest, by its id: owner, status and main figures. */
  backtest: (backtestId: number): Key => ({ pk: `BACKTEST#${backtestId}`, sk: 'BACKTEST' }),
  /** All that decides a backtest: rules, account, symbols, range. */
  backtestSetup: (backtestId: number): Key => ({ pk: `BACKTEST#${backtestId}`, sk: 'SETUP' }),
  /** The result of a backtest. */
  backtestReport: (backtestId: number): Key => ({ pk: `BACKTEST#${backtestId}`, sk: 'REPORT' }),
  /** A part of the saved state of a running backtest. */
  backtestState: (backtestId: number, part: number): Key => ({
    pk: `BACKTEST#${backtestId}`,
    sk: `STATE#${part}`,
  }),
  /** A chunk of the trades of a backtest; a backtest that begins again writes other chunks. */
  backtestTrades: (backtestId: number, start: number, chunk: number): Key => ({
    pk: `BACKTEST#${backtestId}`,
    sk: `TRADES#${start}#${chunk}`,
  }),
  /** A track record among those that an author ever began, sorted by age; pass `''` for the start of the range. */
  trackRecord: (author: string, recordId: number | ''): Key => ({
    pk: `RECORDS#${bounded(author)}`,
    sk: `RECORD#${recordId === '' ? '' : sortable(recordId)}`,
  }),
  /** The number of track records that an author ever began. */
  recordCount: (author: string): Key => ({ pk: `RECORDS#${bounded(author)}`, sk: 'COUNT' }),
  /** The number of track records that all authors ever began. */
  allRecordsCount: (): Key => ({ pk: 'RECORDS', sk: 'COUNT' }),
  /** The trading days of a month of a track record; one that is computed again writes others. */
  recordDays: (recordId: number, start: number, month: string): Key => ({
    pk: `BACKTEST#${recordId}`,
    sk: `DAYS#${start}#${month}`,
  }),
  /** Smaller bars that decided about fills of a track record on a day; one that is computed again writes others. */
  recordUsedBars: (recordId: number, start: number, day: string): Key => ({
    pk: `BACKTEST#${recordId}`,
    sk: `WITHIN#${start}#${day}`,
  }),
  /** The ids of a user's backtests. */
  backtestsOf: (userId: string): Key => ({ pk: userPartition(userId), sk: 'BACKTESTS' }),
  /** The series of a user's own candles. */
  ownSeries: (userId: string): Key => ({ pk: userPartition(userId), sk: 'OWN_SERIES' }),
  /** A sweep, by its id: owner, status and progress. */
  sweep: (sweepId: number): Key => ({ pk: `SWEEP#${sweepId}`, sk: 'SWEEP' }),
  /** All that decides a sweep: rules, values of parameters, account, symbols, range. */
  sweepSetup: (sweepId: number): Key => ({ pk: `SWEEP#${sweepId}`, sk: 'SETUP' }),
  /** A slice of a sweep: the attempts to compute it, then its figures. */
  sweepSlice: (sweepId: number, slice: number): Key => ({ pk: `SWEEP#${sweepId}`, sk: `SLICE#${slice}` }),
  /** The joined result of a sweep. */
  sweepOutcome: (sweepId: number): Key => ({ pk: `SWEEP#${sweepId}`, sk: 'OUTCOME' }),
  /** All that decides what the hub's engine does for a deployment: rules, account, symbols. */
  deploymentSetup: (deploymentId: number): Key => ({ pk: `DEPLOYMENT#${deploymentId}`, sk: 'SETUP' }),
  /** Part of a trading deployment in the reported figures of its strategy. */
  reportedShare: (deploymentId: number): Key => ({ pk: `DEPLOYMENT#${deploymentId}`, sk: 'REPORTED' }),
  /** A decision of the owner that changed an account of the hub; pass `''` for the start of the range. */
  deploymentInput: (deploymentId: number, number: number | ''): Key => ({
    pk: `DEPLOYMENT#${deploymentId}`,
    sk: `INPUT#${number === '' ? '' : sortable(number)}`,
  }),
  /** Smaller bars that decided about fills of an account of the hub within a bar. */
  usedBars: (deploymentId: number, symbol: string, start: number): Key => ({
    pk: `DEPLOYMENT#${deploymentId}`,
    sk: `WITHIN#${symbol}#${sortable(start)}`,
  }),
  /** A program that the hub's engine advances, among those of its symbol and timeframe. */
  program: (symbol: string, timeframe: string, shard: number, programId: string): Key => ({
    pk: `PROGRAMS#${symbol}#${timeframe}#${shard}`,
    sk: programId,
  }),
  /** The numbers of programs per shard of a symbol and timeframe; sorts before the programs of the first shard. */
  programShards: (symbol: string, timeframe: string): Key => ({
    pk: `PROGRAMS#${symbol}#${timeframe}#0`,
    sk: '#SHARDS',
  }),
  /** Rules and saved state of a program. */
  programState: (programId: string): Key => ({ pk: `PROGRAM#${programId}`, sk: 'STATE' }),
  /** A deployment that a program works for; pass `''` for the start of the range. */
  subscriber: (programId: string, kind: SubscriberKind, deploymentId: number | ''): Key => ({
    pk: `SUBS#${programId}`,
    sk: `${kind}#${deploymentId === '' ? '' : sortable(deploymentId)}`,
  }),
  /** A stored series that programs in use need; all share one partition, so one Query lists them. */
  seriesInUse: (symbol: string, timeframe: string): Key => ({
    pk: 'SERIES_IN_USE',
    sk: `${symbol}#${timeframe}`,
  }),
  /** A deployment on recorded candles that the local service feeds; all share one partition, so one Query lists them. */
  replay: (deploymentId: number): Key => ({ pk: 'REPLAYS', sk: `REPLAY#${deploymentId}` }),
  /** Failures of a feed that the hub pulls. */
  pulledFeed: (name: string): Key => ({ pk: 'JOB#pull-candles', sk: `FEED#${name}` }),
  /** The instruments that a scanner watches, with the series of each. */
  scannedInstruments: (deploymentId: number): Key => ({ pk: `DEPLOYMENT#${deploymentId}`, sk: 'SCANNED' }),
  /** A scanner that runs on the watermarks of a feed; pass `''` for the start of the range. */
  scanner: (timeframe: string, feed: string, deploymentId: number | ''): Key => ({
    pk: scannersPartition(timeframe, feed),
    sk: `SCANNER#${deploymentId === '' ? '' : sortable(deploymentId)}`,
  }),
  /** Progress of the scanners of a timeframe on the watermarks of a feed; sorts before the scanners. */
  scannerRun: (timeframe: string, feed: string): Key => ({
    pk: scannersPartition(timeframe, feed),
    sk: 'RUN',
  }),
  /** An instrument on which rules hold at a bar, sorted by the watermark that completes the bar. */
  scanMatch: (rulesHash: string, timeframe: string, feed: string, until: number, symbol: string): Key => ({
    pk: `MATCHES#${rulesHash}#${timeframe}#${feed}`,
    sk: `${sortable(until)}#${symbol}`,
  }),
  /** The instruments that a scanner has reported for a bar. */
  scannedBar: (deploymentId: number, start: number): Key => ({
    pk: `EVENTS#${deploymentId}`,
    sk: `BAR#${start}`,
  }),
  /** The proposed deployments of a user that wait for an answer. */
  proposals: (userId: string): Key => ({ pk: userPartition(userId), sk: 'PROPOSALS' }),
  /** The webhook endpoints of a user. */
  userWebhooks: (userId: string): Key => ({ pk: userPartition(userId), sk: 'WEBHOOKS' }),
  /** The webhook endpoints of a broker. */
  brokerWebhooks: (brokerId: number): Key => ({ pk: `BROKER_WEBHOOKS#${brokerId}`, sk: 'WEBHOOKS' }),
  /** Address, secrets and health of a webhook endpoint. */
  webhookEndpoint: (endpointId: string): Key => ({ pk: `WEBHOOK#${bounded(endpointId)}`, sk: 'ENDPOINT' }),
  /** An event on its way to a webhook endpoint, by the time of its making; pass `''` for the start of the range. */
  webhookDelivery: (endpointId: string, place: string): Key => ({
    pk: `WEBHOOK#${bounded(endpointId)}`,
    sk: `DELIVERY#${bounded(place)}`,
  }),
  /** The address at which a deployment takes signals. */
  signalHook: (deploymentId: number): Key => ({ pk: `DEPLOYMENT#${deploymentId}`, sk: 'SIGNAL_HOOK' }),
  /** The alerts to that address that were refused last. */
  refusedAlerts: (deploymentId: number): Key => ({
    pk: `DEPLOYMENT#${deploymentId}`,
    sk: 'REFUSED_ALERTS',
  }),
  /** The kill switch of a user. */
  userSwitch: (userId: string): Key => ({ pk: userPartition(userId), sk: 'SWITCH' }),
  /** Counts of a user against limits over all deployments. */
  riskTotals: (userId: string): Key => ({ pk: userPartition(userId), sk: 'RISK_TOTALS' }),
  /** The kill switch of a broker. */
  brokerSwitch: (brokerId: number): Key => ({ pk: `SWITCH#BROKER#${brokerId}`, sk: 'SWITCH' }),
  /** A copy of the kill switch of the service. */
  serviceSwitch: (copy: number): Key => ({ pk: `SWITCH#SERVICE#${copy}`, sk: 'SWITCH' }),
  /** The halting of the deployments that a thrown kill switch covers. */
  halt: (throwId: string): Key => ({ pk: `HALT#${throwId}`, sk: 'HALT' }),
  /** The mark that a user was notified of a thrown kill switch. */
  switchNotice: (userId: string, throwId: string): Key => ({
    pk: userPartition(userId),
    sk: `SWITCH_NOTICE#${throwId}`,
  }),
  /** The deletion of an account. */
  deletion: (deletionId: string): Key => ({ pk: `DELETION#${deletionId}`, sk: 'DELETION' }),
  /** The walk through the table that all deletions share. */
  deletionWalk: (): Key => ({ pk: 'DELETION_WALK', sk: 'WALK' }),
  /** The deletions that take part in the round of the walk. */
  deletionWalkMembers: (): Key => ({ pk: 'DELETION_WALK', sk: 'MEMBERS' }),
  /** A universe of instruments; all share one partition, so one Query lists them. */
  universe: (universeId: string): Key => ({ pk: 'UNIVERSES', sk: universeId }),
} as const;
