import type { Call } from '../../../shared/api/call.ts';
import { type Backtest, newBacktestWrite, removalWrite } from '../../../shared/data/backtests/backtests.ts';
import { jobWrites, QUEUED } from '../../../shared/data/backtests/jobs.ts';
import { reportWrite, setupWrite } from '../../../shared/data/backtests/results.ts';
import { TRADES_PER_CHUNK, tradeChunks } from '../../../shared/data/backtests/trades.ts';
import {
  type OwnedBacktests,
  ownedBacktests,
  ownedBacktestsWrite,
} from '../../../shared/data/backtests/user-backtests.ts';
import {
  type Charge,
  isWithinBudget,
  type WorkRequest,
  workWrite,
} from '../../../shared/data/backtests/work-budget.ts';
import { retryOnConflict } from '../../../shared/data/numbered-list/retry.ts';
import { itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import type { BacktestReport } from '../../../shared/domain/engine/backtest/report.ts';
import { type BacktestSetup, candleOwnerOf } from '../../../shared/domain/engine/backtest/setup.ts';
import type { ResolvedRules } from '../../../shared/domain/engine/rules/params.ts';
import { rulesHash } from '../../../shared/domain/engine/rules/rules-hash.ts';
import { backtestLimit } from '../../../shared/domain/plans.ts';
import { integerId, textId } from '../../../shared/ids.ts';
import { spentWork } from '../charging/with-work.ts';
import type { Finished } from '../running/run-setup.ts';
import type { Prepared } from '../setup/prepare.ts';
import { endedEventWrites } from './ended-event.ts';

/** A transaction takes 100 items: the chunks leave room for the others. */
const MAX_CHUNKS = 80;
/** The most trades that a request stores; a backtest with more is a job. */
export const MAX_TRADES_AT_ONCE = MAX_CHUNKS * TRADES_PER_CHUNK;
/** The most old backtests that one new backtest replaces. More remain only after a change of the plan. */
const MAX_DROPPED = 5;

/** Returns the main figures of a report. */
export const summaryOf = ({ statistics }: BacktestReport): Backtest['summary'] =>
  statistics && {
    total_return_pct: statistics.total_return_pct,
    max_drawdown_equity_pct: statistics.max_drawdown_equity_pct,
    sharpe_ratio: statistics.sharpe_ratio,
    win_rate_pct: statistics.win_rate_pct,
    trades_count: statistics.trades_count,
    final_equity: statistics.final_equity,
  };

interface NewBacktest {
  readonly prepared: Prepared;
  readonly setup: BacktestSetup;
  readonly rules: ResolvedRules;
  readonly work: WorkRequest;
  /** The result and the work that ran, or what a job settles at its end. */
  readonly outcome: { readonly finished: Finished; readonly ran: number } | { readonly charge: Charge };
}

/** Divides what a user has into the oldest, which one new item replaces, and the rest. Adds a remark for the owner. */
export const makeRoom = <T>(owned: readonly T[], limit: number, called: 'backtests' | 'sweeps') => {
  const count = Math.min(MAX_DROPPED, Math.max(0, owned.length + 1 - limit));
  const message = `Your plan keeps ${limit} ${called}. The oldest were removed.`;
  return {
    dropped: owned.slice(0, count),
    kept: owned.slice(count),
    notices: count === 0 ? [] : [{ code: 'oldest_dropped', message, count }],
  };
};

/**
 * Writes something that takes work from the budget of a user, and repeats it on conflicts.
 *
 * @param write makes one transaction of what it is given.
 * @throws HubError work_exhausted
 */
export const writeWithinBudget = <T>(
  call: Call,
  prepared: Pick<Prepared, 'userId' | 'owned' | 'workItem'>,
  { work, ran }: { readonly work: WorkRequest; readonly ran: number },
  write: (owned: OwnedBacktests, workWrite: Write) => Promise<T>,
): Promise<T> => {
  const own = { owned: keys.backtestsOf(prepared.userId), work: work.own.key };
  const read = async () => {
    const items = await call.store.getMany(Object.values(own), { consistent: true });
    return { owned: ownedBacktests(itemWith(items, own.owned)), workItem: itemWith(items, own.work) };
  };
  let known: Pick<Prepared, 'owned' | 'workItem'> | undefined = prepared;
  return retryOnConflict(async () => {
    const { owned, workItem } = known ?? (await read());
    known = undefined;
    if (!isWithinBudget(workItem, work)) throw spentWork(call.now, work);
    return write(owned, workWrite(work, ran));
  });
};

/**
 * Stores a backtest, finished or as a job, in one transaction with its owner's list and budget. The oldest are dropped.
 *
 * @throws HubError work_exhausted
 */
export const storeBacktest = (
  call: Call,
  { prepared, setup, rules, work, outcome }: NewBacktest,
): Promise<Backtest> => {
  const { userId, plan, strategy, isListening } = prepared;
  const { finished, ran } = 'finished' in outcome ? outcome : { finished: undefined, ran: work.work };
  return writeWithinBudget(call, prepared, { work, ran }, async (owned, taken) => {
    const { dropped, kept, notices } = makeRoom(owned.list.entries, backtestLimit(plan), 'backtests');
    const id = integerId(call.now, call.random);
    const at = call.now.toISOString();
    const strategyId = strategy?.strategy_id;
    const backtest: Backtest = {
      backtest_id: id,
      user_id: userId,
      ...(strategyId !== undefined && { strategy_id: strategyId }),
      symbols: setup.legs.map(({ symbol }) => symbol),
      timeframe: setup.timeframe,
      candles: candleOwnerOf(setup),
      rules_hash: rulesHash(rules),
      work: ran,
      ...('charge' in outcome && { charge: outcome.charge }),
      created_at: at,
      ...(isListening && { listened: true }),
      ...(finished
        ? {
            status: 'done',
            progress: 1,
            finished_at: at,
            summary: summaryOf(finished.report),
            trades: finished.trades.length,
            start: 1,
          }
        : QUEUED),
      notices,
    };
    const entry = { backtest_id: id, ...(strategyId !== undefined && { strategy_id: strategyId }) };
    await call.store.transact([
      ownedBacktestsWrite(userId, owned, { entries: [...kept, entry] }),
      taken,
      setupWrite(id, setup),
      ...(finished
        ? [
            newBacktestWrite(backtest),
            reportWrite(id, finished.report),
            ...tradeChunks(id, 1, finished.trades).map((put) => ({ put })),
            ...endedEventWrites(call, backtest, { status: 'done', now: call.now }),
          ]
        : jobWrites(backtest, textId(call.random), call.now)),
      ...dropped.map((old) => removalWrite(old.backtest_id, call.now)),
    ]);
    return backtest;
  });
};
