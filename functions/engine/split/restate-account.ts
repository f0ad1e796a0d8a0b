import { unpackLedger } from '../../../shared/data/books/packed-ledger.ts';
import { type AccountSub, readSub } from '../../../shared/data/engine/subscriptions.ts';
import { AccountFaultError } from '../../../shared/domain/engine/running/account-fault.ts';
import { isTradedFrom } from '../../../shared/domain/ledger/book-split.ts';
import { ratioText } from '../../../shared/domain/splits/ratio.ts';
import { changeDeployment } from '../../../shared/lifecycle/deployment-change.ts';
import type { Span } from '../../../shared/lifecycle/engine-accounts/advance-account.ts';
import type { EngineRuntime } from '../engine-runtime.ts';
import { failDeployment } from '../fail-deployment.ts';
import { serveAccount } from '../serve-account.ts';
import { type BookedSplit, splitEffect } from './book-split.ts';

/** Books afterwards, for an account that the engine does not restate. */
interface BookedOnly {
  /** True if the books hold a position of the symbol. */
  readonly isHeld: boolean;
  /** Cause for which the split is not in the books. */
  readonly reason?: string;
}

/**
 * Books a split for an account that the engine does not manage: a failed one, or one at a broker. Its books may have
 * fills as of later, and orders at a broker may report fills from before the split later.
 */
const bookOnly = async (
  engine: EngineRuntime,
  { deployment_id, symbol, kind, is_live: isReal }: AccountSub,
  split: BookedSplit,
): Promise<BookedOnly> => {
  let isHeld = false;
  let result: BookedOnly | undefined;
  try {
    await changeDeployment(engine, deployment_id, async (found) => {
      if (found?.kind !== 'live') return undefined;
      const ledger = unpackLedger(found.ledger);
      isHeld = ledger.head.symbols[symbol]?.position != null;
      const isTraded = kind === 'A' || isTradedFrom(ledger, symbol, split.at);
      if (!isHeld && !(isReal && isTraded)) return undefined;
      const before = { deployment: found, notifications: [], at: new Date(split.at - 1) };
      const effect = await splitEffect(engine, before, { deployment: found, ledger }, symbol, split);
      if (effect === before) return undefined;
      isHeld = effect.ledger?.head.symbols[symbol]?.position != null;
      return effect;
    });
    engine.memory.books.forget(deployment_id);
  } catch (error) {
    if (!(error instanceof AccountFaultError)) throw error;
    engine.log.error('a split could not be booked', { deployment_id, symbol, reason: error.message });
    result = { isHeld: true, reason: error.message };
  }
  return result ?? { isHeld };
};

/**
 * Fails an account whose position or orders are at a broker: the hub does not know them after the split. A flat one goes
 * on.
 */
const failReal = async (engine: EngineRuntime, sub: AccountSub, split: BookedSplit): Promise<void> => {
  const { isHeld, reason = `split ${ratioText(split)}` } = await bookOnly(engine, sub, split);
  if (sub.kind !== 'A' && !isHeld) return;
  const failing = await readSub(engine.store, sub.program_id, sub.deployment_id);
  if (!failing || failing.error !== undefined) return;
  const error = new AccountFaultError(`${reason}: check the position at your broker`);
  await failDeployment(engine, failing, engine.clock().getTime(), error);
};

/** Restates an account that is active, failed or at a broker, after its last bar in old units. Safe to repeat. */
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
