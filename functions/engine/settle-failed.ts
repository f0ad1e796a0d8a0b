import { type AccountSub, subWrites } from '../../shared/data/engine/subscriptions.ts';
import { TransactionRefusedError } from '../../shared/data/table/store.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { settleReal } from './real/settle-real.ts';
import { settlePaper } from './settle-paper.ts';

/**
 * Settles the orders and positions of an account that has failed, by the books. While something is left to do, its bars
 * settle it again. Safe to repeat.
 *
 * @returns whether nothing is left to do.
 */
export const settleFailed = async (engine: EngineRuntime, sub: AccountSub): Promise<boolean> => {
  const isDone = sub.is_live ? await settleReal(engine, sub) : await settlePaper(engine, sub);
  const kind = isDone ? 'F' : 'A';
  if (kind === sub.kind) return isDone;
  try {
    await engine.store.transact(subWrites(sub, { ...sub, kind }));
  } catch (error) {
    // Another worker has settled it.
    if (!(error instanceof TransactionRefusedError)) throw error;
  }
  return isDone;
};
