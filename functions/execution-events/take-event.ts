import { changeDeployment } from '../../shared/data/deployment-change.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { applyEvent } from './apply-event.ts';
import { applyLedgerEvent, isLedgerEvent, keysBeside } from './apply-live.ts';
import { MalformedEvent, parseEvent } from './events.ts';

const unknown = (): MalformedEvent => new MalformedEvent('there is no such deployment');

/**
 * Takes an event of an execution engine, once, however often it comes.
 *
 * @throws MalformedEvent for one that no retry makes good.
 */
export const takeEvent = async (runtime: Runtime, raw: unknown): Promise<void> => {
  const event = parseEvent(raw);
  const { deployment_id: id } = event.detail;
  if (isLedgerEvent(event)) {
    await changeDeployment(
      runtime,
      id,
      (deployment, _now, [item]) => {
        if (!deployment) throw unknown();
        return applyLedgerEvent(runtime, deployment, event, item);
      },
      keysBeside(event),
    );
    return;
  }
  await changeDeployment(runtime, id, (deployment) => {
    if (!deployment) throw unknown();
    return applyEvent(deployment, event);
  });
};
