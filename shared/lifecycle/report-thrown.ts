import { subjectKeys } from '../data/switches/switch-changes.ts';
import { switchAt } from '../data/switches/switches.ts';
import type { Runtime } from '../runtime.ts';

/** Line of the log for each minute in which the switch of the service is thrown. A metric counts it. */
export const SERVICE_STOPPED = 'the kill switch of the service is thrown';

/** Logs whether the kill switch of the service is thrown, so that operators see it all the time. */
export const reportThrown = async ({ store, log }: Runtime): Promise<void> => {
  const [key] = subjectKeys({ level: 'service' });
  const [item] = await store.getMany([key], { consistent: true });
  const holds = Object.values(switchAt([item], key)?.holds ?? {});
  const since = holds.map(({ at }) => at).sort()[0];
  if (since !== undefined) log.warn(SERVICE_STOPPED, { since });
};
