/**
 * Measures the hub's engine: calls, capacity and time of a bar with 100 programs and 100, 1,000 and 10,000 idle paper
 * accounts; the same for a bar on which all programs raise a signal and open a trade; the time from a bar to the last
 * stored signal. A warm container on the embedded database. Run by `npm run bench:engine [-- --rounds 30]`.
 */

import { readOptions } from '../../infra/commands/read-options.ts';
import { appendBars } from '../../shared/data/candles/append-bars.ts';
import type { Item } from '../../shared/data/table/attributes.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { Store } from '../../shared/data/table/store.ts';
import { columnsOf } from '../../shared/domain/candles/bars.ts';
import { startHub } from '../support/hub.ts';
import { startEngine, worker } from '../support/hub-engine.ts';
import { ruleTrader } from '../support/rule-strategies.ts';
import { rulesWith } from '../support/rules.ts';
import { furnishWithInstruments } from '../support/strategies.ts';
import { deployTrading } from '../support/trading.ts';
import { meteredClient, usedBy } from './meter.ts';
import { MINUTE_SERIES, MinuteBars } from './minute-bars.ts';
import { progress } from './progress.ts';
import { failWith, writeResult } from './result.ts';
import { median, rounded } from './statistics.ts';

const PROGRAMS = 100;
const IDLE = [100, 1000, 10_000] as const;
const WARM_BARS = 40;
const SIGNAL_ROUNDS = 20;
const SERIES = MINUTE_SERIES;
/** Closes of an idle bar, and of one on which every program buys. */
const CALM = 100;
const SIGNAL = 112;
const MOST_SIGNAL_MS = 1000;
/** Time of a bar with the most idle accounts over that with the fewest. */
const MOST_RATIO = 1.2;

const HELP = `npm run bench:engine [-- --rounds 30]

Measures calls, capacity and time of bars in the hub's engine.`;

const { values } = readOptions(HELP, { options: { rounds: { type: 'string', default: '30' } } });
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError('--rounds is a positive integer');

const hub = await startHub();
await furnishWithInstruments(hub, [SERIES.symbol]);
const { store } = hub.runtime;

const bars = new MinuteBars();
await appendBars(store, SERIES, columnsOf(bars.nextMany(WARM_BARS, CALM)));

const close = { price: 'close' };
/** Rules of a program. No two are the same, and all of them signal on the same bars. */
const rulesOf = (program: number) =>
  rulesWith(
    {
      all: [
        { left: close, op: 'gt', right: 110 + program / 1000 },
        { left: { indicator: 'sma', length: 20 }, op: 'lt', right: close },
      ],
    },
    { exits: [{ side: 'long', when: { left: close, op: 'lt', right: 105 } }] },
  );

const metered = meteredClient(hub.endpoint);
// Identifiers are made from the time: in a standing millisecond there are few.
const began = hub.runtime.clock().getTime() - performance.now();
const clock = (): Date => new Date(began + performance.now());
const one = worker(
  { ...hub, runtime: { ...hub.runtime, clock } },
  { store: new Store(metered, store.table) },
);
console.log(`${PROGRAMS} programs, each with a paper account and a notification deployment`);
for (let program = 0; program < PROGRAMS; program += 1) {
  const { keygen } = await ruleTrader(hub, {
    symbol: SERIES.symbol,
    timeframe: SERIES.timeframe,
    rules: rulesOf(program),
  });
  const paper = await deployTrading(hub, keygen);
  const notice = await hub.call('POST /deploy_notification_strategy', { query: { keygen }, form: {} });
  for (const { status, body, text } of [paper, notice]) {
    if (status !== 200) throw new Error(text);
    await startEngine(one, Number(body.deployment_id));
  }
}

/** Adds copies of the paper accounts of every program. */
const addIdle = async (from: number, to: number): Promise<void> => {
  const partitions = await programIds();
  const writes: { readonly put: Item }[] = [];
  for (const programId of partitions) {
    const first = keys.subscriber(programId, 'F', '');
    const [account] = await store.queryItems({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': first.pk, ':sk': first.sk },
      Limit: 1,
    });
    if (!account) throw new Error('a program has no account that is flat');
    for (let copy = from / PROGRAMS; copy < to / PROGRAMS; copy += 1) {
      const deployment_id = copy;
      writes.push({ put: { ...account, ...keys.subscriber(programId, 'F', deployment_id), deployment_id } });
    }
  }
  await store.batchWrite(writes);
};

const programIds = async (): Promise<string[]> => {
  const { pk } = keys.program(SERIES.symbol, SERIES.timeframe, 0, '');
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
  });
  return items.flatMap(({ program_id }) => (typeof program_id === 'string' ? [program_id] : []));
};

interface Sample {
  readonly calls: number;
  readonly read_units: number;
  readonly write_units: number;
  readonly ms: number;
}

/** Feeds a bar as the bus does. */
const feed = async (price: number): Promise<Sample> => {
  const take = bars.nextEvent(hub, price);
  const fed = performance.now();
  const { names, readUnits, writeUnits } = await usedBy(() => take(one));
  const ms = performance.now() - fed;
  return { calls: names.length, read_units: readUnits, write_units: writeUnits, ms };
};

const summary = (samples: readonly Sample[]) => {
  const of = (pick: (sample: Sample) => number): number[] => samples.map(pick);
  const times = of(({ ms }) => ms).toSorted((left, right) => left - right);
  return {
    calls: median(of(({ calls }) => calls)),
    read_units: median(of(({ read_units }) => read_units)),
    write_units: median(of(({ write_units }) => write_units)),
    p50_ms: rounded(median(times), 1),
    p95_ms: rounded(times[Math.floor(times.length * 0.95)] ?? Number.NaN, 1),
  };
};

const feedMany = async (count: number, price: number): Promise<Sample[]> => {
  const samples: Sample[] = [];
  for (let round = 0; round < count; round += 1) samples.push(await feed(price));
  return samples;
};

await feedMany(10, CALM);
const signals: Sample[] = [];
for (let round = 0; round < SIGNAL_ROUNDS; round += 1) {
  signals.push(await feed(SIGNAL));
  // The trades open, are closed on the second calm bar, and the averages settle.
  await feedMany(4, CALM);
}
await feedMany(32, CALM);

const idle: Record<string, ReturnType<typeof summary>> = {};
let accounts = PROGRAMS;
for (const count of IDLE) {
  await addIdle(accounts, count);
  progress(`${count} idle accounts`);
  accounts = count;
  await feedMany(4, CALM);
  idle[count] = summary(await feedMany(rounds, CALM));
}
metered.destroy();
await hub.close();

const signal = summary(signals);
console.log('a bar without a signal, by idle accounts');
console.table(idle);
console.log('a bar on which every program raises a signal and its account places an order');
console.table([signal]);
await writeResult('engine', { programs: PROGRAMS, rounds, idle, signal });
const [fewest, most] = [idle[IDLE[0]], idle[IDLE.at(-1) ?? 0]];
const differs = (name: 'calls' | 'read_units' | 'write_units'): boolean => fewest?.[name] !== most?.[name];
failWith([
  ...(differs('calls') || differs('read_units') || differs('write_units')
    ? ['idle accounts cost calls or capacity']
    : []),
  ...((most?.p50_ms ?? 0) > MOST_RATIO * (fewest?.p50_ms ?? 0)
    ? [`a bar with ${IDLE.at(-1)} idle accounts takes more than ${MOST_RATIO} times as long`]
    : []),
  ...(signal.p95_ms > MOST_SIGNAL_MS ? [`signals are stored after more than ${MOST_SIGNAL_MS} ms`] : []),
]);
