import { executionRuntime } from '../../../shared/broker-orders/execution-runtime.ts';
import { followOrders } from '../../../shared/broker-orders/follow-orders.ts';
import type { ExecutionAdapter } from '../../../shared/channels/execution/execution-adapter.ts';
import { findDueOrders } from '../../../shared/data/execution/orders-in-hand.ts';
import { findDueProtections } from '../../../shared/data/execution/protections.ts';
import { ADAPTER_FACTS } from '../../../shared/domain/orders/execution-adapters.ts';
import type { Job } from '../job.ts';

/** Pause between two rounds. Young orders are due this often. */
const ROUND_MS = 5_000;
/** Rounds of a run, which is less than the time until the next run. */
const MAX_ROUNDS = 9;

/**
 * Returns the job that follows the open orders and exits of an adapter. A run without any ends after two reads, so it costs
 * next to nothing when no order or trade is open.
 */
export const followingOf = (adapter: ExecutionAdapter, name: string): Job => ({
  name,
  summary: `Follows orders and exits at ${ADAPTER_FACTS[adapter.name].title}, and takes up those that a run left behind`,
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['execution', 'encryption', 'reports'],
  run: async (runtime, { hasTime, byHand }) => {
    const work = {
      ...executionRuntime(runtime, adapter, {
        keyMemory: new Map(),
        remainingMs: () => Number.POSITIVE_INFINITY,
      }),
      hasTime,
    };
    const damaged: Error[] = [];
    let done = await followOrders(work);
    for (let round = 1; round < MAX_ROUNDS && !byHand && hasTime(); round += 1) {
      const until = work.clock().getTime() + ROUND_MS;
      const soon = { before: until, limit: 1, onDamaged: (error: Error) => damaged.push(error) };
      const due = await Promise.all([
        findDueOrders(work.store, adapter.name, soon),
        findDueProtections(work.store, adapter.name, soon),
      ]);
      if (due.flat().length === 0) break;
      await work.sleep(ROUND_MS);
      done += await followOrders(work);
    }
    if (damaged.length > 0) throw new AggregateError(damaged, `${damaged.length} orders cannot be read`);
    return { done, more: false };
  },
});
