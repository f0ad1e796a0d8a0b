/**
 * Measures a request that backtests twenty years of daily bars, warm, on the embedded database: the whole stack
 * without the gateway. Run by `npm run bench:backtest-request`.
 */
import { readOptions } from '../../infra/commands/read-options.ts';
import { importBars } from '../../shared/data/candles/import-bars.ts';
import { runBacktest } from '../support/backtests.ts';
import { DAILY, sessionBars } from '../support/candles.ts';
import { startHub } from '../support/hub.ts';
import { furnishWithInstruments, person } from '../support/strategies.ts';
import { failWith, writeResult } from './result.ts';

const BARS = 5036;
const WARM_UPS = 20;
const ROUNDS = 30;
const MOST_MS = 300;

readOptions(
  `npm run bench:backtest-request

Measures a request that backtests twenty years of daily bars.`,
  {},
);

const hub = await startHub();
await furnishWithInstruments(hub, ['SPY']);
await importBars(hub.runtime.store, DAILY, sessionBars('2000-01-03', BARS));
const times: number[] = [];
for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
  const { user_id } = await person(hub);
  hub.takeCalls();
  const began = performance.now();
  const { status, body } = await runBacktest(hub, user_id);
  const took = performance.now() - began;
  if (status !== 200 || body.status !== 'done' || body.bars !== BARS) throw new Error('the backtest failed');
  if (round >= WARM_UPS) times.push(took);
}
const calls = hub.takeCalls();
await hub.close();
times.sort((left, right) => left - right);
const at = (part: number): number => times[Math.floor(times.length * part)] ?? 0;
const result = { bars: BARS, rounds: ROUNDS, p50_ms: at(0.5), p95_ms: at(0.95), most_ms: MOST_MS, calls };
console.table([{ ...result, calls: calls.join(' ') }]);
await writeResult('backtest-request', result);
failWith(at(0.5) > MOST_MS ? [`a request takes ${Math.round(at(0.5))} ms, more than ${MOST_MS}`] : []);
