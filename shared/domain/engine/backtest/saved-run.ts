import * as z from 'zod';
import { restoreAccount, saveAccount, savedAccountSchema } from '../account/saved-account.ts';
import { restoreState, saveState } from '../observe.ts';
import { stored, storedText } from '../stored.ts';
import { curveSchema } from './curve/state.ts';
import { type BacktestInput, type BacktestRun, startBacktest } from './run.ts';
import { tallySchema } from './tally.ts';

const CANCEL_REASONS = [
  'expired',
  'too_small',
  'insufficient_funds',
  'square_off',
  'opposite_trade',
  'ruin',
] as const;

const savedRunSchema = z.object({
  legs: z.array(
    z.object({
      state: z.string(),
      account: savedAccountSchema,
      bars: z.int(),
      base: stored,
    }),
  ),
  curve: curveSchema,
  tally: tallySchema,
  /** The close that is held back. */
  mark: z.tuple([stored, stored, stored]).nullable(),
  trades_count: z.int(),
  cancelled: z.array(z.tuple([z.enum(CANCEL_REASONS), z.int()])),
});

/**
 * Returns a run between two slices as text, to go on after a crash. It holds windows of indicators, so that no bars
 * have to be read again, and is some kilobytes long.
 *
 * @throws RangeError if trades were not taken out before.
 */
export const saveBacktest = (run: BacktestRun): string => {
  if (run.trades.length > 0) throw new RangeError('trades have to be taken out before saving');
  return storedText({
    legs: run.legs.map(({ state, account, bars, base }) => ({
      state: saveState(state),
      account: saveAccount(account),
      bars,
      base,
    })),
    curve: run.curve,
    tally: run.tally,
    mark: run.marked === 0 ? null : [run.marks.start[0], run.marks.equity[0], run.marks.benchmark[0]],
    trades_count: run.trades_count,
    cancelled: [...run.cancelled],
  });
};

/**
 * Returns a run from its text and the input that it began with.
 *
 * @throws RangeError if another input saved it.
 */
export const restoreBacktest = (input: BacktestInput, text: string): BacktestRun => {
  const saved = savedRunSchema.parse(JSON.parse(text));
  const run = startBacktest(input);
  if (saved.legs.length !== run.legs.length) throw new RangeError('the saved run has other symbols');
  for (const [index, leg] of run.legs.entries()) {
    const from = saved.legs[index];
    if (!from) continue;
    leg.state = restoreState(leg.program, from.state);
    leg.account = restoreAccount(leg.account.settings, from.account);
    leg.bars = from.bars;
    leg.base = from.base;
  }
  run.curve = saved.curve;
  run.tally = saved.tally;
  if (saved.mark) {
    [run.marks.start[0], run.marks.equity[0], run.marks.benchmark[0]] = saved.mark;
    run.marked = 1;
  }
  run.trades_count = saved.trades_count;
  for (const [reason, count] of saved.cancelled) run.cancelled.set(reason, count);
  return run;
};
