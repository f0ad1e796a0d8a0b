import { expect, test } from '@jest/globals';
import { newEngineMemory } from '../../../functions/engine/engine-runtime.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import { DyingStore } from '../../support/backtest-jobs.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { fillsOf } from '../../support/hub-deployments.ts';
import { startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { openHub } from '../../support/open-hub.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { rulesWith } from '../../support/rules.ts';
import { matchesOfUser, minute } from '../../support/scanners.ts';
import { soakable } from '../../support/soak.ts';
import { furnishWithInstruments, person } from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';

const FEED = 'acme.feed';
const SYMBOLS = ['AAA', 'BBB'];
const BARS = soakable(9, 60);
/** Buys at bars that rise, and holds for two bars. */
const RISING = rulesWith(
  { left: { price: 'close' }, op: 'gt', right: { price: 'open' } },
  { exits: [{ side: 'long', when: { bars_in_trade: 1 } }] },
);

const hub = await openHub((own) => furnishWithInstruments(own, ['BTCUSD']));
const { store } = hub.runtime;

/** Returns whether the bar of a minute rises: two in three do, at other minutes for each symbol. */
const rises = (symbol: string, index: number): boolean => (index + SYMBOLS.indexOf(symbol)) % 3 !== 0;

const barOf = (symbol: string, index: number) => {
  const close = rises(symbol, index) ? 101 : 99;
  return { start: minute(index), open: 100, high: 102, low: 98, close, volume: 1 };
};

const minutes = Array.from({ length: BARS }, (_, index) => index + 1);

/** Returns the minutes of the fills of a symbol, computed bar by bar. */
const fillTimes = (symbol: string): string[] => {
  const fills: string[] = [];
  let entry: number | undefined;
  let next: 'buy' | 'sell' | undefined;
  for (const index of minutes) {
    if (next) fills.push(`${minute(index)} ${next}`);
    if (next === 'buy') entry = index;
    if (next === 'sell') entry = undefined;
    next = undefined;
    if (entry !== undefined && index - entry >= 1) next = 'sell';
    else if (entry === undefined && rises(symbol, index)) next = 'buy';
  }
  return fills;
};

const eventOf = (type: string, detail: object) => ({
  'detail-type': type,
  source: FEED,
  time: new Date(hub.runtime.clock().getTime() - 60_000).toISOString(),
  detail: { version: 1, timeframe: '1m', ...detail },
});

/** Returns the events of all bars, with a watermark after each minute. */
const events = minutes.flatMap((index) => [
  ...SYMBOLS.map((symbol) => {
    const bar = { ...barOf(symbol, index), start: new Date(minute(index)).toISOString() };
    return eventOf('Bar Closed', { symbol, ...bar, previous: new Date(minute(index - 1)).toISOString() });
  }),
  eventOf('Bars Complete', { through: new Date(minute(index + 1)).toISOString() }),
]);

test('workers that die in the middle of a bar, repeats and two workers at once lose no signal, match or fill, and repeat none', async () => {
  const [item] = await store.getMany([keys.instrument('BTCUSD')]);
  for (const symbol of SYMBOLS) {
    await store.put({ ...item, ...keys.instrument(symbol), symbol });
    const kind = { timeframe: '1m', asset_class: 'crypto', calendar: 'always' } as const;
    const facts = { ...kind, symbol, source: FEED, adjustment: 'none' } as const;
    await appendBars(store, facts, columnsOf([barOf(symbol, 0)]));
  }
  const universe = { universe_id: 'abc', name: 'abc', description: '', symbols: SYMBOLS };
  await store.put({ ...universe, ...keys.universe('abc'), entity: 'universe' });
  const { user_id } = await person(hub);
  await store.transact([{ key: keys.user(user_id), set: { plan: 'unlimited' } }]);
  const own = { user_id, timeframe: '1m', rules: RISING };
  const all = await ruleTrader(hub, { ...own, symbol: SYMBOLS.join(',') });
  const one = await ruleTrader(hub, { ...own, symbol: 'AAA' });
  const paper: number = (await deployTrading(hub, all.keygen, { size_step: '1' })).body.deployment_id;
  const told = await hub.call('POST /deploy_notification_strategy', {
    query: { keygen: one.keygen },
    form: {},
  });
  const scanner = await hub.call('POST /deploy_scanner', {
    query: { keygen: one.keygen, universe_id: 'abc' },
  });
  for (const id of [paper, told.body.deployment_id, scanner.body.deployment_id]) {
    await startEngine(worker(hub), id);
  }

  const memory = newEngineMemory();
  let deaths = 0;
  const take = (on: Worker, event: object) => takeEngineEvent(on.engine, event);
  for (const [step, event] of events.entries()) {
    const kind = step % 2 === 0 ? 'together' : 'single';
    const dying = new DyingStore(store, 1 + (step % 3), step % 4 < 2, kind);
    // A container that died, or that goes on with its memory.
    const used = step % 5 === 0 ? { store: dying } : { store: dying, memory };
    await take(worker(hub, used), event).catch(() => {
      deaths += 1;
    });
    await Promise.all([take(worker(hub, { memory }), event), step % 3 === 0 && take(worker(hub), event)]);
  }
  expect(deaths).toBeGreaterThan(6);

  const expected = SYMBOLS.flatMap(fillTimes).toSorted();
  const fills = (await fillsOf(hub, paper)).map(({ at, side }) => `${at} ${side}`).toSorted();
  expect(expected.length).toBeGreaterThan(6);
  expect(fills).toEqual(expected);

  const matches = (await matchesOfUser(hub, user_id)).flatMap(
    ({ at, symbols }: { at: number; symbols: string[] }) => symbols.map((symbol) => `${at} ${symbol}`),
  );
  const rising = minutes.flatMap((index) =>
    SYMBOLS.filter((symbol) => rises(symbol, index)).map((symbol) => `${minute(index)} ${symbol}`),
  );
  expect(matches.toSorted()).toEqual(rising);

  const { body } = await hub.call('GET /get_deployment_notifications', { query: { user_id, size: '100' } });
  const signals = body.items
    .filter(({ kind }: { kind: string }) => kind === 'signal_buy')
    .map(({ created_at }: { created_at: string }) => Date.parse(created_at));
  const turned = minutes.filter((index) => rises('AAA', index) && !rises('AAA', index - 1));
  expect(signals.toSorted()).toEqual(turned.map(minute));
});
