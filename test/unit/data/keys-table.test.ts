import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';

/** Digits of identifiers that sort as text. */
const ID = 0;

/** The entity and a key of every function of `keys`. A new function needs a line here to compile. */
const EXAMPLES: { readonly [Name in keyof typeof keys]: readonly [entity: string, key: Key] } = {
  user: ['user with sessions, API keys, broker links and counts', keys.user('<user_id>')],
  credentials: [
    'owner, password hash and attempts of an e-mail; makes e-mails unique; former owner of a reserved one (expires)',
    keys.credentials('e'),
  ],
  oneTimeCode: ['one-time code', keys.oneTimeCode('e', '<purpose>')],
  referral: ['owner of a referral code', keys.referral('c')],
  identity: ['user of an identity', keys.identity('i', 's')],
  client: ['client application', keys.client('<fingerprint>')],
  broker: ['white-label broker', keys.broker('b')],
  listedBroker: ['approved white-label broker', keys.listedBroker('b')],
  brokerGuid: ['white-label broker by guid', keys.brokerGuid('g')],
  brokerAccount: ['owner of an account at a broker', keys.brokerAccount('b', 1, 'a')],
  partnerToken: ['used partner token (expires)', keys.partnerToken('t')],
  factors: ['second factors of a user', keys.factors('<user_id>')],
  passkey: ['user of a passkey', keys.passkey('p')],
  passkeyChallenge: ['used challenge for a passkey (expires)', keys.passkeyChallenge('c')],
  pushRegistrations: ['devices of a user', keys.pushRegistrations('<user_id>')],
  pushKey: ['owner of a push key', keys.pushKey('k')],
  partnerCState: ['OAuth state (expires)', keys.partnerCState('s')],
  partnerCConnection: ["user's connection to partner C", keys.partnerCConnection('<user_id>')],
  executionConnection: [
    'connection of a user to an account at a broker',
    keys.executionConnection('<user_id>', '<account_id>'),
  ],
  executionOrder: ['order that an execution adapter has taken over', keys.executionOrder('<id>')],
  protection: ['protection of a trade at its broker', keys.protection(ID, '<symbol>', '<entry>')],
  unclaimedPartnerCConnection: [
    'connection to partner C without a user',
    keys.unclaimedPartnerCConnection('c'),
  ],
  outbox: ['outbox message', keys.outbox('<delivery_id>')],
  pendingChange: ['commit whose change events wait for their logs', keys.pendingChange('<user>', ID, ID)],
  changeEntry: ['entry of a log of change events (expires)', keys.changeEntry('<log>', ID)],
  changeLog: ['last position of a log of change events', keys.changeLog('<log>')],
  changeListening: ['time until which somebody listens to a log', keys.changeListening('<log>')],
  changeWaits: ['requests that wait for change events (expires)', keys.changeWaits()],
  idempotency: ['answer kept for an Idempotency-Key (expires)', keys.idempotency('s', 'k')],
  strategy: ['strategy', keys.strategy(ID)],
  rules: ['rules that strategies share', keys.rules('<hash>')],
  rulesHistory: ["last versions of a strategy's rules", keys.rulesHistory(ID)],
  ownedStrategy: ["strategy among its owner's: name, symbols", keys.ownedStrategy('<user_id>', ID)],
  strategyName: ["makes the names of a user's strategies unique", keys.strategyName('<user_id>', 'n')],
  favourite: ['strategy that a user likes', keys.favourite('<user_id>', ID)],
  strategyMarks: ['liked and copied strategies of a user', keys.strategyMarks('<user_id>')],
  categories: ['number of strategies per category', keys.categories()],
  ranking: ['best strategies of the catalogue in an order', keys.ranking('<category>', '<order>')],
  rankingPool: [
    'strategies that a round of the ranking has found in a category',
    keys.rankingPool('<category>'),
  ],
  strategySearch: ['search entry of a strategy', keys.strategySearch('<beginning>', ID, ID)],
  deployment: ['deployment', keys.deployment(ID)],
  listedTrading: [
    'summary of a trading deployment for lists: 1 running, 0 ended with something open',
    keys.listedTrading('<user_id>', false, ID),
  ],
  tradingTotals: [
    'sums over ended trading deployments, by market and strategy',
    keys.tradingTotals('<user_id>', '<scope>'),
  ],
  strategyTitle: [
    'search entry of a strategy by its whole name',
    keys.strategyTitle('<3 letters>', '<title>', ID),
  ],
  dummyUser: ['dummy user', keys.dummyUser('<id>')],
  instrument: ['instrument', keys.instrument('<symbol>')],
  instrumentSearch: [
    'search entry of an instrument',
    keys.instrumentSearch('<scope>', '<class>', { rank: ID, text: '<text>' }, '<symbol>'),
  ],
  brokerTicker: ['ticker of a broker', keys.brokerTicker('<slug>', '<symbol>')],
  retailBroker: ['retail broker', keys.retailBroker('<slug>')],
  series: ['candles of an instrument: facts and newest bars', keys.series('<symbol>', '<timeframe>')],
  openCandles: [
    'candles of a span that new ones are appended to',
    keys.openCandles('<symbol>', '<timeframe>', '<first day>'),
  ],
  sealedCandles: [
    'candles of a past or imported span',
    keys.sealedCandles('<symbol>', '<timeframe>', '<first day>'),
  ],
  candleCorrections: [
    'candles of a span that arrived after later ones',
    keys.candleCorrections('<symbol>', '<timeframe>', '<first day>'),
  ],
  waitingBars: [
    'candles that wait for the one before (expires)',
    keys.waitingBars('<symbol>', '<timeframe>', ID, 7),
  ],
  lastPrice: ['last price of an instrument, from the newest candle of all', keys.lastPrice('<symbol>')],
  backtest: ['backtest: owner, status, main figures', keys.backtest(ID)],
  backtestSetup: ['rules, account, symbols and range of a backtest', keys.backtestSetup(ID)],
  backtestReport: ['result of a backtest', keys.backtestReport(ID)],
  backtestState: ['part of the saved state of a running backtest', keys.backtestState(ID, 7)],
  backtestTrades: ['chunk of trades of a backtest', keys.backtestTrades(ID, 7, 7)],
  ownSeries: ["list of the series of a user's own candles", keys.ownSeries('<user_id>')],
  backtestsOf: ['ids of the backtests of a user', keys.backtestsOf('<user_id>')],
  trackRecord: ['track record of a strategy: dates, state, figures', keys.trackRecord('<user_key>', ID)],
  recordCount: ['number of track records that an author ever began', keys.recordCount('<user_key>')],
  allRecordsCount: ['number of track records that all authors ever began', keys.allRecordsCount()],
  recordDays: ['trading days of a month of a track record', keys.recordDays(ID, 7, '<month>')],
  recordUsedBars: [
    'smaller bars that decided about fills of a track record on a day',
    keys.recordUsedBars(ID, 7, '<day>'),
  ],
  sweep: ['sweep: owner, status, progress', keys.sweep(ID)],
  sweepSetup: ['rules, values of parameters, account, symbols and range of a sweep', keys.sweepSetup(ID)],
  sweepSlice: ['slice of a sweep: attempts, figures (expires)', keys.sweepSlice(ID, 7)],
  sweepOutcome: ['joined result of a sweep', keys.sweepOutcome(ID)],
  deploymentSetup: ['rules, account and symbols of a deployment that the hub runs', keys.deploymentSetup(ID)],
  reportedShare: ['part of a deployment in the reported figures of its strategy', keys.reportedShare(ID)],
  deploymentInput: ["owner's decision that changed an account of the hub", keys.deploymentInput(ID, ID)],
  usedBars: [
    'smaller bars that decided about fills of an account of the hub',
    keys.usedBars(ID, '<symbol>', ID),
  ],
  program: [
    "program that the hub's engine advances",
    keys.program('<symbol>', '<timeframe>', 7, '<program_id>'),
  ],
  programShards: ['number of programs per shard', keys.programShards('<symbol>', '<timeframe>')],
  programState: ['rules and saved state of a program', keys.programState('<program_id>')],
  subscriber: [
    'deployment that a program works for: F flat account, A active one, N notifications',
    keys.subscriber('<program_id>', 'F', ID),
  ],
  seriesInUse: ['series that programs of the engine use', keys.seriesInUse('<symbol>', '<timeframe>')],
  replay: ['deployment on recorded candles that the local service feeds', keys.replay(ID)],
  pulledFeed: ['failures of a feed that the hub pulls', keys.pulledFeed('<name>')],
  scannedInstruments: ['instruments that a scanner watches', keys.scannedInstruments(ID)],
  scanner: ['scanner that runs on the watermarks of a feed', keys.scanner('<timeframe>', '<feed>', ID)],
  scannerRun: ['how far the scanners of a feed have run', keys.scannerRun('<timeframe>', '<feed>')],
  scanMatch: [
    'instrument on which rules hold at a bar (expires)',
    keys.scanMatch('<hash>', '<timeframe>', '<feed>', ID, '<symbol>'),
  ],
  scannedBar: ['instruments that a scanner has reported for a bar (expires)', keys.scannedBar(ID, 7)],
  proposals: ['proposed deployments of a user (expires)', keys.proposals('<user_id>')],
  userWebhooks: ['webhook endpoints of a user', keys.userWebhooks('<user_id>')],
  brokerWebhooks: ['webhook endpoints of a broker', keys.brokerWebhooks(7)],
  webhookEndpoint: [
    'address, secrets and health of a webhook endpoint',
    keys.webhookEndpoint('<endpoint_id>'),
  ],
  webhookDelivery: [
    'event on its way to a webhook endpoint (expires)',
    keys.webhookDelivery('<endpoint_id>', '<time>'),
  ],
  signalHook: ['hook of a deployment, with the hash of its token', keys.signalHook(ID)],
  refusedAlerts: ['alerts to the hook of a deployment that were refused last', keys.refusedAlerts(ID)],
  userSwitch: ['kill switch of a user', keys.userSwitch('<user_id>')],
  riskTotals: ['counts of a user against limits over all deployments', keys.riskTotals('<user_id>')],
  brokerSwitch: ['kill switch of a broker', keys.brokerSwitch(7)],
  serviceSwitch: ['copy of the kill switch of the service', keys.serviceSwitch(7)],
  halt: ['halting of the deployments that a thrown kill switch covers', keys.halt('<throw_id>')],
  switchNotice: [
    'mark that a user was notified of a thrown kill switch (expires)',
    keys.switchNotice('<user_id>', '<throw_id>'),
  ],
  deletion: ['deletion of an account', keys.deletion('<deletion_id>')],
  deletionWalk: ['walk through the table that deletions share', keys.deletionWalk()],
  deletionWalkMembers: ['deletions that take part in a round of the walk', keys.deletionWalkMembers()],
  universe: ['universe', keys.universe('<universe_id>')],
};

/** Shows a digest as `H`, an identifier as `<id>`, a number of two digits as `<rank>`. */
const shown = (part: string): string =>
  `\`${part
    .replace(/[\w-]{43}/, 'H')
    .replace(/0{16}/g, '<id>')
    .replace(/\b00#/, '<rank>#')
    .replace(/(?<!<timeframe>)#0$/, '#<id>')
    .replace(/#7$/, '#<n>')
    .replace(/#7#/, '#<start>#')
    .replace(/^0#/, '<rank>#')
    .replace(/#<$/, '#<letter>')}\``;

test('the page of the data folder shows every key of the table', async () => {
  const rows = Object.values(EXAMPLES).map(
    ([entity, { pk, sk }]) => `| ${entity} | ${shown(pk)} | ${shown(sk)} |`,
  );
  const page = await readFile(new URL('../../../shared/data/README.md', import.meta.url), 'utf8');
  expect(page).toContain(['| Entity | pk | sk |', '|---|---|---|', ...rows, ''].join('\n'));
});
