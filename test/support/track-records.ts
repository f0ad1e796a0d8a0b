import { takeJobEvents } from './backtest-jobs.ts';
import { takeJobEvent } from './functions/backtest-jobs.ts';
import type { TestHub } from './hub.ts';
import { runJob } from './jobs.ts';

/** Lets workers do all work on track records and backtests for which there are events. */
export const workOffEvents = async (hub: TestHub): Promise<void> => {
  for (;;) {
    const events = await takeJobEvents(hub);
    if (events.length === 0) return;
    for (const event of events) await takeJobEvent(hub.runtime, event, () => Number.POSITIVE_INFINITY);
  }
};

/** Advances the clock, and lets workers advance the track records that are due then. */
export const passTime = async (hub: TestHub, ms: number): Promise<void> => {
  hub.advance(ms);
  await runJob(hub.runtime, { job: 'sweep-records' });
  await workOffEvents(hub);
};
