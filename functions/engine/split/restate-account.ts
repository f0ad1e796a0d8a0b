import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { type AccountSub, readSub } from '../../../shared/data/engine/subscriptions.ts';
import { AccountFaultError } from '../../../shared/domain/engine/live/account-fault.ts';
import { ratioText } from '../../../shared/domain/splits/ratio.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import type { Span } from '../advance-account.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { failDeployment } from '../fail-deployment.ts';
import { serveAccount } from '../serve-account.ts';
import { type BookedSplit, splitEffect } from './book-split.ts';

/** Books a split for a position that the engine does not manage: of a failed account, or at a broker. */
const bookOnly = async (
  engine: EngineRuntime,
  { deployment_id, symbol }: AccountSub,
  split: BookedSplit,
): Promise<void> => {
  try {
    await changeDeployment(engine, deployment_id, (found) => {
      if (found?.kind !== 'live') return undefined;
      const ledger = unpackLedger(found.ledger);
      if (!ledger.head.symbols[symbol]?.position) return undefined;
      const before = { deployment: found, notifications: [], at: new Date(split.at - 1) };
      const effect = splitEffect(before, found, ledger, symbol, split);
      return effect === before ? undefined : effect;
    });
    engine.memory.books.forget(deployment_id);
  } catch (error) {
    if (!(error instanceof AccountFaultError)) throw error;
    engine.log.error('a split could not be booked', { deployment_id, symbol, reason: error.message });
  }
};

/** Fails an account whose position is at a broker: the hub does not know its orders after the split. */
const failReal = async (engine: EngineRuntime, sub: AccountSub, split: BookedSplit): Promise<void> => {
  await bookOnly(engine, sub, split);
  const reason = `split ${ratioText(split)}: check the position at your broker`;
  const failing = await readSub(engine.store, sub.program_id, sub.deployment_id);
  if (!failing || failing.error !== undefined) return;
  await failDeployment(engine, failing, engine.clock().getTime(), new AccountFaultError(reason));
};

/** Restates an active account, or one that has failed, after its last bar in old units. Safe to repeat. */
export const restateAccount = async (
  engine: EngineRuntime,
  span: Span,
  found: AccountSub,
  split: BookedSplit,
): Promise<void> => {
  if (found.error !== undefined) {
    await bookOnly(engine, found, split);
    return;
  }
  if (found.is_live) {
    await failReal(engine, found, split);
    return;
  }
  await serveAccount(engine, span, found, { split });
  const after = await readSub(engine.store, found.program_id, found.deployment_id);
  if (after && after.kind !== 'N' && after.error !== undefined) await bookOnly(engine, after, split);
};
