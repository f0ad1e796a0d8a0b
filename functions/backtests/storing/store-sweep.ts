import type { Call } from '../../../shared/api/call.ts';
import { newSweepWrites } from '../../../shared/data/backtests/sweep-jobs.ts';
import { type Sweep, sweepRemovalWrite, sweepSetupWrite } from '../../../shared/data/backtests/sweeps.ts';
import { ownedBacktestsWrite } from '../../../shared/data/backtests/user-backtests.ts';
import { chargeOf, type WorkRequest } from '../../../shared/data/backtests/work-budget.ts';
import { candleOwnerOf } from '../../../shared/domain/engine/backtest/setup.ts';
import { rulesHash } from '../../../shared/domain/engine/rules/rules-hash.ts';
import type { SweepSetup } from '../../../shared/domain/engine/sweep/setup.ts';
import { sweepLimit } from '../../../shared/domain/plans.ts';
import { integerId, textId } from '../../../shared/ids.ts';
import type { Prepared } from '../setup/prepare.ts';
import { makeRoom, writeWithinBudget } from './store.ts';

/**
 * Stores a sweep with the event that starts it, in one transaction with its owner's list and budget. The oldest are
 * dropped.
 *
 * @throws HubError work_exhausted
 */
export const storeSweep = (
  call: Call,
  prepared: Prepared,
  setup: SweepSetup,
  work: WorkRequest,
): Promise<Sweep> => {
  const { userId, plan, strategy, rules } = prepared;
  const strategyOf = strategy && { strategy_id: strategy.strategy_id };
  return writeWithinBudget(call, prepared, { work, ran: work.work }, async (owned, taken) => {
    const { dropped, kept, notices } = makeRoom(owned.list.sweeps, sweepLimit(plan), 'sweeps');
    const id = integerId(call.now, call.random);
    const sweep: Sweep = {
      sweep_id: id,
      user_id: userId,
      ...strategyOf,
      symbols: setup.base.legs.map(({ symbol }) => symbol),
      timeframe: setup.base.timeframe,
      candles: candleOwnerOf(setup.base),
      status: 'queued',
      rules_hash: rulesHash(rules),
      work: work.work,
      charge: chargeOf(work, 0),
      rank_by: setup.rank_by,
      combinations: setup.combinations,
      slices: setup.slices,
      slices_done: 0,
      created_at: call.now.toISOString(),
      summary: null,
      notices,
    };
    await call.store.transact([
      ownedBacktestsWrite(userId, owned, { sweeps: [...kept, { sweep_id: id, ...strategyOf }] }),
      taken,
      sweepSetupWrite(id, setup),
      ...newSweepWrites(sweep, textId(call.random), call.now),
      ...dropped.map((old) => sweepRemovalWrite(old.sweep_id, call.now)),
    ]);
    return sweep;
  });
};
