import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue, unknownBacktest } from '../../shared/api/refusals.ts';
import { reportIn, setupIn } from '../../shared/data/backtests/results.ts';
import { asSeries, type Series } from '../../shared/data/candles/series.ts';
import { keys } from '../../shared/data/table/keys.ts';
import type { BacktestReport } from '../../shared/domain/engine/backtest/report.ts';
import { type BacktestSetup, storedSymbol } from '../../shared/domain/engine/backtest/setup.ts';
import { storedRules } from '../../shared/domain/engine/backtest/stored-rules.ts';
import { ENGINE_VERSION } from '../../shared/domain/engine/version.ts';
import { budgetKeys, knownBudgets } from './charging/known-budgets.ts';
import { type KnownBudgets, withCharge } from './charging/with-work.ts';
import { ownBacktest } from './own-backtest.ts';
import { backtestOut, presentBacktest } from './records/backtest.ts';
import { isOneRead, readLegs } from './running/candles.ts';
import { runAtOnce } from './running/run-at-once.ts';
import { workOf } from './setup/setup.ts';

/** The most bars that `full` shows: an answer has at most 6 MB, and a bar takes up to 180 bytes. */
export const MAX_FULL_BARS = 30_000;

const changed = (): HubError =>
  new HubError('candles_changed', 'The candles or the engine have changed since. Run the backtest again.');

const tooLong = () =>
  invalidValue(
    ['query', 'full'],
    `ensure the backtest has at most ${MAX_FULL_BARS} bars, and few smaller ones, for the equity of every bar`,
    'value_error.backtest',
    { limit_value: MAX_FULL_BARS },
  );

/** Recomputes the equity of every bar, and charges it. @throws HubError candles_changed, work_exhausted @throws ValidationError */
const fullReport = async (
  { store, now }: Call,
  budgets: KnownBudgets,
  setup: BacktestSetup,
  report: BacktestReport,
): Promise<BacktestReport> => {
  if (report.bars > MAX_FULL_BARS) throw tooLong();
  if (report.engine_version !== ENGINE_VERSION) throw changed();
  const items = await store.getMany(
    setup.legs.map((leg) => keys.series(storedSymbol(leg), leg.source)),
    { consistent: true },
  );
  const series = items.map(asSeries).filter((found): found is Series => found !== undefined);
  if (series.length < setup.legs.length) throw changed();
  if (!isOneRead(setup, series)) throw tooLong();
  const rules = storedRules(setup);
  const { units } = workOf(
    setup,
    rules,
    series.map((one) => ({ series: one })),
  );
  const again = await withCharge({ store, now }, budgets, units, async () => {
    const candles = await readLegs(store, setup, series);
    const options = { curve: 'every_bar', most_trades: 0 } as const;
    const value = await runAtOnce(store, setup, rules, candles, options);
    if (!value) throw tooLong();
    return { value, ran: units + value.smaller };
  });
  const { candles_hash, equity, benchmark } = again.report;
  if (candles_hash !== report.candles_hash) throw changed();
  return { ...report, equity, benchmark };
};

export const getBacktest = defineOperation({
  method: 'GET',
  path: '/get_backtest',
  name: 'get_backtest',
  summary: 'Get a backtest with its result',
  description:
    'The status of a backtest, and its result once it is done. `full` gives the equity of every bar, computed again for up to 30,000 bars, which counts as work of the day.',
  caller: 'user',
  scope: 'research',
  extension: true,
  assistant: {
    description:
      'Reads the status of a backtest, and its report once it is done. The curve is thinned; full uses work of the day.',
  },
  input: {
    query: z.object({ user_id: z.string(), backtest_id: integer(), full: z.boolean().default(false) }),
  },
  output: backtestOut,
  errors: ['backtest_unknown', 'candles_changed', 'user_unknown', 'work_exhausted', 'quota_reached'],
  table: 'write',
  rateClass: ({ query: { full } }) => (full ? 'work' : 'read'),
  handler: async ({ query: { user_id: userId, backtest_id: id, full } }, call) => {
    const wanted = full ? await budgetKeys(call, userId) : [];
    const items = await call.store.getMany(
      [keys.backtest(id), keys.backtestSetup(id), keys.backtestReport(id), ...wanted],
      { consistent: true },
    );
    const [item, setupItem, reportItem] = items;
    const backtest = ownBacktest(userId, item);
    if (!setupItem) throw unknownBacktest();
    const setup = setupIn(setupItem);
    const report = reportIn(reportItem);
    if (!full || !report) return presentBacktest(backtest, setup, report);
    const budgets = await knownBudgets(call, userId, items);
    return presentBacktest(backtest, setup, await fullReport(call, budgets, setup, report));
  },
});
