import { type AccountSub, readSub } from '../../shared/data/engine/subscriptions.ts';
import type { Span } from '../../shared/lifecycle/engine-accounts/advance-account.ts';
import type { EngineRuntime } from './engine-runtime.ts';
import { failDeployment, isPermanent } from './fail-deployment.ts';
import { GONE, type Served, type ServeOptions } from './fill-source.ts';
import { isStale } from './passing-errors.ts';
import { realSource } from './real/serve-real.ts';
import { paperSource } from './serve-paper.ts';
import { settleFailed } from './settle-failed.ts';

/** Attempts whose writes are refused, in a row. */
const MAX_ATTEMPTS = 8;

/**
 * Advances an account through bars, and books what it did. Safe to repeat, and for several workers at once: the account's
 * own cursor tells which bars it has seen. One that has failed is settled by its books.
 */
export const serveAccount = async (
  engine: EngineRuntime,
  span: Span,
  found: AccountSub,
  options: ServeOptions = {},
): Promise<Served> => {
  if (found.is_live && !options.isCommanded && found.at >= span.end && !found.booking) {
    return { isActive: found.kind === 'A', isDone: false };
  }
  const sourceOf = found.is_live ? realSource : paperSource;
  const { passes, attempt, learn, failsAt } = sourceOf(engine, span, options);
  let sub = found;
  for (let tries = 1; ; tries += 1) {
    if (sub.error !== undefined) {
      const isDone = sub.kind === 'A' && (await settleFailed(engine, sub));
      return { isActive: sub.kind === 'A' && !isDone, isDone };
    }
    const passed = passes(sub);
    if (passed) return passed;
    try {
      const served = await attempt(sub);
      if (served) return served;
      tries = 0;
    } catch (error) {
      if (isPermanent(error)) {
        const failing = await readSub(engine.store, sub.program_id, sub.deployment_id);
        const isDone = await failDeployment(engine, failing ?? sub, failsAt(), error);
        return { isActive: !isDone, isDone };
      }
      if (!isStale(error) || tries === MAX_ATTEMPTS) throw error;
      if (learn(error)) tries = 0;
    }
    const next = await readSub(engine.store, sub.program_id, sub.deployment_id);
    if (!next || next.kind === 'N') return GONE;
    // Another worker that takes the account through its bars may be faster at each of them.
    if (next.at > sub.at) tries = 0;
    sub = next;
  }
};
