import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { chargeOf } from '../../shared/data/backtests/work-budget.ts';
import { rulesHash } from '../../shared/domain/engine/rules/rules-hash.ts';
import { withCharge, withWork } from './charging/with-work.ts';
import { backtestIn } from './forms/body.ts';
import { backtestRunOut, presentBacktest, presentPreview } from './records/backtest.ts';
import { isOneRead, readLegs } from './running/candles.ts';
import { runPreview } from './running/preview.ts';
import { runAtOnce } from './running/run-at-once.ts';
import { prepare, TEST_ERRORS } from './setup/prepare.ts';
import { countSmaller, MAX_WORK_AT_ONCE, setupOf, workOf } from './setup/setup.ts';
import { MAX_TRADES_AT_ONCE, storeBacktest } from './storing/store.ts';

const tooLargeToPreview = () =>
  invalidValue(
    ['body', 'preview'],
    'ensure the backtest is small enough for one request: choose a shorter range, larger bars or fewer symbols, or run it without preview, as a job',
    'value_error.backtest',
  );

export const runBacktest = defineOperation({
  method: 'POST',
  path: '/run_backtest',
  name: 'run_backtest',
  summary: 'Backtest rules or a strategy',
  description:
    'Runs rules, or a strategy of the user, over stored candles. Symbols and timeframe are those of the strategy when absent. Small backtests are `done` in the answer. Larger ones are `queued`: read their progress with `/get_backtest`. With `preview` nothing is stored, the answer has the newest 1,000 trades, and a backtest that one request cannot run is refused (422); it counts as work of the day.',
  caller: 'user',
  scope: 'research',
  extension: true,
  limits: { body: 64 * 1024 },
  assistant: {
    description:
      'Tests rules over stored candles, of a strategy by strategy_id or given as rules. Set realistic costs in account. Read warnings of the report first, and compare with its benchmark. Keep a part of the span unseen for the end. Long tests answer with a status: call get_backtest until it is done. Each test uses work of the day, of which assistants have half.',
  },
  input: { query: z.object({ user_id: z.string() }), json: backtestIn },
  output: backtestRunOut,
  errors: TEST_ERRORS,
  table: 'write',
  rateClass: 'work',
  storesNothing: ({ json: { preview } }) => preview,
  handler: async ({ query: { user_id: userId }, json: { params, preview, ...subject } }, call) => {
    const prepared = await prepare(call, userId, subject);
    const { setup, rules } = setupOf(prepared, subject, params);
    const series = prepared.markets.map((market) => market.series);
    const { units, source } = workOf(setup, rules, prepared.markets);
    if (preview) {
      if (units > MAX_WORK_AT_ONCE || !isOneRead(setup, series)) throw tooLargeToPreview();
      return withCharge(call, prepared, units, async () => {
        const candles = await readLegs(call.store, setup, series);
        const finished = await runPreview(call.store, setup, rules, candles, MAX_TRADES_AT_ONCE + 1);
        if (finished.trades.length > MAX_TRADES_AT_ONCE) throw tooLargeToPreview();
        const of = {
          strategy_id: prepared.strategy?.strategy_id,
          rules_hash: rulesHash(rules),
          at: call.now.toISOString(),
        };
        return { value: presentPreview(of, setup, finished), ran: units + finished.smaller };
      });
    }
    if (units <= MAX_WORK_AT_ONCE && isOneRead(setup, series)) {
      const done = await withWork(call, prepared, units, async (work) => {
        const candles = await readLegs(call.store, setup, series);
        const most = { most_trades: MAX_TRADES_AT_ONCE + 1 };
        const finished = await runAtOnce(call.store, setup, rules, candles, most);
        // A job begins again, and is charged for it.
        if (!finished || finished.trades.length > MAX_TRADES_AT_ONCE) return { value: undefined, ran: 0 };
        const ran = units + finished.smaller;
        const stored = await storeBacktest(call, {
          prepared,
          setup,
          rules,
          work,
          outcome: { finished, ran },
        });
        return { value: presentBacktest(stored, setup, finished.report), ran };
      });
      if (done) return done;
    }
    const most = units + countSmaller(setup, prepared.markets);
    return withWork(call, prepared, most, async (work) => {
      const outcome = { charge: chargeOf(work, source) };
      const stored = await storeBacktest(call, { prepared, setup, rules, work, outcome });
      return { value: presentBacktest(stored, setup, undefined), ran: most };
    });
  },
});
