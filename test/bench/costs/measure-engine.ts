import { takeEngineEvent } from '../../../functions/engine/take-event.ts';
import { appendBars } from '../../../shared/data/candles/append-bars.ts';
import { seriesInUseWrite } from '../../../shared/data/engine/series-in-use.ts';
import type { Item } from '../../../shared/data/table/attributes.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import { deliver } from '../../../shared/deliveries/main/deliver-main.ts';
import { columnsOf } from '../../../shared/domain/candles/bars.ts';
import type { TestHub } from '../../support/hub.ts';
import { endEngine, startEngine, type Worker, worker } from '../../support/hub-engine.ts';
import { CLIENT_KEY, freshEmail, outbox, PASSWORD, sentCode } from '../../support/people.ts';
import { ruleTrader } from '../../support/rule-strategies.ts';
import { rulesWith } from '../../support/rules.ts';
import { ScannedFeed } from '../../support/scanners.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { MINUTE_SERIES, MinuteBars } from '../minute-bars.ts';
import type { EngineKind } from './engine-units.ts';
import { meteredHub } from './metered-hub.ts';
import { less, scaled, sumOf, type Units } from './units.ts';

const MINUTE = 60_000;
const { START } = MinuteBars;
const SERIES = MINUTE_SERIES;
/** Bars between two flushes of a series, and between two saved states of an idle program. */
const CYCLE = 16;
const PROGRAMS = 100;
const HOLDERS = 20;
const SAVE_BARS_BUSY = 256;
const SYMBOLS = 50;
const MATCHES = 10;
/** Closes of a bar without a signal, of one on which programs buy, of one on which they hold, and sell. */
const CALM = 100;
const SIGNAL = 112;
const EXIT = 90;

const close = { price: 'close' };
const RULES = rulesWith(
  {
    all: [
      { left: close, op: 'gt', right: 110 },
      { left: { indicator: 'sma', length: 20 }, op: 'lt', right: close },
      { left: { indicator: 'rsi', length: 14 }, op: 'gt', right: 50 },
    ],
  },
  { exits: [{ side: 'long', when: { left: close, op: 'lt', right: 95 } }] },
);

/** Creates a user who may choose mails. */
const verifiedUser = async (hub: TestHub): Promise<string> => {
  const email = freshEmail();
  const { body } = await hub.call('POST /register_user', {
    query: { auth: CLIENT_KEY },
    json: { email, password: PASSWORD, name: 'Ada Lovelace' },
  });
  await hub.call('POST /send_otp_password_reset', { query: { email } });
  const otp = (await sentCode(hub, email)) ?? '';
  await hub.call('POST /reset_password', { query: { email, otp, new_password: PASSWORD } });
  return String(body.user_id);
};

/** Reads items of the engine by the beginning of their keys. */
const itemsUnder = (
  hub: TestHub,
  { pk, sk }: { readonly pk: string; readonly sk: string },
): Promise<Item[]> =>
  hub.runtime.store.queryItems({
    KeyConditionExpression: sk === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': pk, ...(sk !== '' && { ':sk': sk }) },
  });

/** Measures a watermark that brings no news, for each of its series. */
const watermarkCost = async (
  hub: TestHub,
  { engine }: Worker,
  cost: (work: () => Promise<unknown>) => Promise<Units>,
): Promise<Units> => {
  const { store, clock } = hub.runtime;
  const source = 'a-feed-of-many';
  const starts = Array.from({ length: CYCLE }, (_, index) => START + index * MINUTE);
  const bars = columnsOf(
    starts.map((start) => ({ start, open: CALM, high: CALM, low: CALM, close: CALM, volume: 1 })),
  );
  for (let n = 0; n < SYMBOLS; n++) {
    const symbol = `SYMBOL${n}`;
    await appendBars(store, { ...SERIES, symbol, source }, bars);
    await store.transact([seriesInUseWrite(symbol, SERIES.timeframe)]);
  }
  const event = {
    'detail-type': 'Bars Complete',
    source,
    time: clock().toISOString(),
    detail: {
      version: 1,
      timeframe: SERIES.timeframe,
      through: new Date(START + (CYCLE - 1) * MINUTE).toISOString(),
    },
  };
  return scaled(await cost(() => takeEngineEvent(engine, event)), 1 / SYMBOLS);
};

/** Measures the matches of a bar and the run of a scanner that reports them. */
const scannerCosts = async (hub: TestHub, cost: (work: () => Promise<unknown>) => Promise<Units>) => {
  const feed = new ScannedFeed(hub, 'a-feed-of-scanners');
  const symbols = Array.from({ length: MATCHES }, (_, n) => `SCANNED${n}`);
  await feed.scanner(symbols);
  const closes = (price: number) => Object.fromEntries(symbols.map((symbol) => [symbol, price]));
  await feed.close(1, closes(99));
  const empty = await cost(() => feed.complete(1));
  const matches = await cost(() => feed.close(2, closes(101)));
  const run = await cost(() => feed.complete(2));
  return {
    'match for scanners': scaled(matches, 1 / MATCHES),
    'run of a scanner without a match': empty,
    'run of a scanner with ten matches': run,
  };
};

/**
 * Measures the calls and units of the hub's engine, in a warm container and on one-minute bars. Parts that happen on
 * every 16th or 256th bar are averages.
 */
export const measureEngine = async (): Promise<Record<EngineKind, Units>> => {
  const { hub, take, close: end } = await meteredHub();
  const cost = async (work: () => Promise<unknown>): Promise<Units> => {
    take();
    await work();
    return take();
  };
  const bars = new MinuteBars();
  const feed = (on: Worker, price: number): Promise<Units> => cost(() => bars.nextEvent(hub, price)(on));
  /** Feeds a cycle of bars. Returns their average, and the cheapest: one without a flush and a saved state. */
  const feedCycle = async (on: Worker, price: number) => {
    const each: Units[] = [];
    for (let bar = 0; bar < CYCLE; bar++) each.push(await feed(on, price));
    const average = scaled(
      each.reduce((left, right) => sumOf(left, right)),
      1 / CYCLE,
    );
    const plain = each.reduce((left, right) => (right.calls < left.calls ? right : left));
    return { average, plain };
  };
  const append = (count: number, price: number) =>
    appendBars(hub.runtime.store, SERIES, columnsOf(bars.nextMany(count, price)));

  /** Delivers the messages of a kind, as the stream's consumer does. */
  const deliverAll = async (kind: string): Promise<Units> => {
    const found = (await outbox(hub)).filter(({ message }) => message?.kind === kind);
    if (found.length === 0) throw new Error(`the outbox holds no ${kind}`);
    return cost(async () => {
      for (const { delivery_id, attempts } of found) await deliver(hub.runtime, delivery_id, attempts);
    });
  };

  try {
    await furnishWithInstruments(hub);
    await append(40, CALM);
    const one = worker(hub);
    await feedCycle(one, CALM);
    const { average: bar } = await feedCycle(one, CALM);
    const owner = await ruleTrader(hub, { ...SERIES, rules: RULES, user_id: await verifiedUser(hub) });
    const deploy = async (path: string, form: Readonly<Record<string, string>>): Promise<number> => {
      const { status, body, text } = await hub.call(path, { query: { keygen: owner.keygen }, form });
      if (status !== 200) throw new Error(text);
      return Number(body.deployment_id);
    };

    // Signals of an entry and of an exit.
    const notified = await deploy('POST /deploy_notification_strategy', { channels: 'email' });
    await startEngine(one, notified);
    const { average: calm } = await feedCycle(one, CALM);
    const raised = sumOf(await feed(one, SIGNAL), await feed(one, CALM));
    const left = sumOf(await feed(one, EXIT), await feed(one, CALM));
    const signal = scaled(less(sumOf(raised, left), scaled(calm, 4)), 1 / 2);
    await endEngine(one, notified);
    await feedCycle(one, CALM);

    const traded = await deploy('POST /deploy_live_strategy', { mode: 'virtual', starting_capital: '10000' });
    const start = await cost(() => startEngine(one, traded));
    await feedCycle(one, CALM);
    const open = async (): Promise<Units> => sumOf(await feed(one, SIGNAL), await feed(one, SIGNAL));
    const exit = async (): Promise<Units> => sumOf(await feed(one, EXIT), await feed(one, CALM));
    const entered = less(await open(), scaled(calm, 2));
    const entryLists = await deliverAll('live_entries');
    const exited = less(await exit(), scaled(calm, 2));
    const exitLists = await deliverAll('live_entries');
    await feedCycle(one, CALM);

    // Accounts that hold. The copies belong to no deployment, so that their exits only remove them.
    await open();
    const programs = await itemsUnder(hub, keys.program(SERIES.symbol, SERIES.timeframe, 0, ''));
    const program = programs.find(({ sk }) => sk !== keys.programShards(SERIES.symbol, SERIES.timeframe).sk);
    const programId = String(program?.program_id);
    const [account] = await itemsUnder(hub, keys.subscriber(programId, 'A', ''));
    await hub.runtime.store.batchWrite(
      Array.from({ length: HOLDERS - 1 }, (_, copy) => ({
        put: { ...account, ...keys.subscriber(programId, 'A', copy), deployment_id: copy },
      })),
    );
    const { average: held } = await feedCycle(one, SIGNAL);
    const holding = scaled(less(held, bar), 1 / HOLDERS);
    await append(SAVE_BARS_BUSY, SIGNAL);
    const saving = await feed(one, SIGNAL);
    const saved = scaled(less(saving, held), 1 / HOLDERS);
    await exit();
    await feedCycle(one, CALM);

    const state = (await itemsUnder(hub, keys.programState(programId)))[0];
    const listed = (await itemsUnder(hub, keys.program(SERIES.symbol, SERIES.timeframe, 0, programId)))[0];
    await hub.runtime.store.batchWrite(
      Array.from({ length: PROGRAMS - 1 }, (_, copy) => `copy-of-a-program-${copy}`).flatMap((program_id) => [
        { put: { ...state, ...keys.programState(program_id), program_id } },
        { put: { ...listed, ...keys.program(SERIES.symbol, SERIES.timeframe, 0, program_id), program_id } },
      ]),
    );
    const two = worker(hub);
    await feed(one, CALM);
    const { average: all, plain: warm } = await feedCycle(one, CALM);
    const idle = scaled(less(all, bar), 1 / PROGRAMS);
    const loaded = scaled(less(await feed(two, CALM), warm), 1 / PROGRAMS);
    const watermark = await watermarkCost(hub, one, cost);
    return {
      'bar of a series': bar,
      'program, for a bar': idle,
      'program that a container loads': loaded,
      'series, for a watermark': watermark,
      'start of a paper deployment': start,
      'signal to a deployment': signal,
      'entry of a paper account': entered,
      'lists after an entry': entryLists,
      'account in a trade, for a bar': holding,
      'account in a trade, saved': saved,
      'exit of a paper account': exited,
      'lists after an exit': exitLists,
      ...(await scannerCosts(hub, cost)),
    };
  } finally {
    await end();
  }
};
