import { changeSource } from '../../../shared/data/changes/pending.ts';
import { findDueDeliveries } from '../../../shared/data/outbox/deliveries.ts';
import { moveChanges } from '../../../shared/deliveries/changes/move-changes.ts';
import { dueJob } from '../due-job.ts';

/** Moves change events that were missed, as `sweep-deliveries` delivers other messages. */
export const sweepChanges = dueJob({
  name: 'sweep-changes',
  summary: 'Moves change events that were missed into their logs',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: [],
  find: async ({ store, clock }, limit, onDamaged) => {
    const due = await findDueDeliveries(store, 'changes', clock(), limit, onDamaged);
    // One attempt moves all events of a source.
    const sources = Map.groupBy(due, ({ delivery_id }) => changeSource(delivery_id));
    return [...sources].map(([source, { length }]) => ({ source, events: length }));
  },
  attend: (runtime, { source }) => moveChanges(runtime, source, 0),
  nameOf: ({ source }) => source,
  page: 500,
  recordsOf: ({ events }) => events,
  called: 'sources of change events',
});
