import { changeDeployment } from '../../shared/data/deployment-change.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { applyEvent } from './apply-event.ts';
import { MalformedEvent, parseEvent } from './events.ts';

/**
 * Takes an event of an execution engine, once, however often it comes.
 *
 * @throws MalformedEvent for one that no retry makes good.
 */
export const takeEvent = async (runtime: Runtime, raw: unknown): Promise<void> => {
  const event = parseEvent(raw);
  await changeDeployment(runtime, event.detail.deployment_id, (deployment) => {
    if (!deployment) throw new MalformedEvent('there is no such deployment');
    return applyEvent(deployment, event);
  });
};
