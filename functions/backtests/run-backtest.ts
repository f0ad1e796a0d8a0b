import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { chargeOf } from '../../shared/data/backtests/work-budget.ts';
import { withWork } from './charging/with-work.ts';
import { backtestIn } from './forms/body.ts';
import { backtestOut, presentBacktest } from './records/backtest.ts';
import { isOneRead, readLegs } from './running/candles.ts';
import { runAtOnce } from './running/run-at-once.ts';
import { prepare, TEST_ERRORS } from './setup/prepare.ts';
import { countSmaller, MAX_WORK_AT_ONCE, setupOf, workOf } from './setup/setup.ts';
import { MAX_TRADES_AT_ONCE, storeBacktest } from './storing/store.ts';

export const runBacktest = defineOperation({
  method: 'POST',
  path: '/run_backtest',
  name: 'run_backtest',
  summary: 'Backtest rules or a strategy',
  description:
    'Runs rules, or a strategy of the user, over stored candles. Symbols and timeframe are those of the strategy when absent. Small backtests are `done` in the answer. Larger ones are `queued`: read their progress with `/get_backtest`.',
  caller: 'user',
  scope: 'research',
  extension: true,
  limits: { body: 64 * 1024 },
  assistant: {
    description:
      'Tests rules over stored candles, of a strategy by strategy_id or given as rules. Set realistic costs in account. Read warnings of the report first, and compare with its benchmark. Keep a part of the span unseen for the end. Long tests answer with a status: call get_backtest until it is done. Each test uses work of the day, of which assistants have half.',
  },
  input: { query: z.object({ user_id: z.string() }), json: backtestIn },
  output: backtestOut,
  errors: TEST_ERRORS,
  table: 'write',
  rateClass: 'work',
  handler: async ({ query: { user_id: userId }, json: { params, ...subject } }, call) => {
    const prepared = await prepare(call, userId, subject);
    const { setup, rules } = setupOf(prepared, subject, params);
    const series = prepared.markets.map((market) => market.series);
    const { units, source } = workOf(setup, rules, prepared.markets);
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
