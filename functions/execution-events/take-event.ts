import { changeDeployment } from '../../shared/data/deployment-change.ts';
import type { LiveMemory } from '../../shared/data/live-memory.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { applyEvent } from './apply-event.ts';
import { applyLedgerEvent, isLedgerEvent, keysBeside, readBooks, recallBooks } from './apply-live.ts';
import { MalformedEvent, parseEvent } from './events.ts';

/** How far an engine's clock may be ahead. */
const MAX_AHEAD_MS = 5 * 60_000;

const unknown = (): MalformedEvent => new MalformedEvent('there is no such deployment');

/**
 * Takes an event of an execution engine, once, however often it comes.
 *
 * @param memory of this container, which saves reads.
 * @throws MalformedEvent for one that no retry makes good.
 */
export const takeEvent = async (runtime: Runtime, raw: unknown, memory?: LiveMemory): Promise<void> => {
  const event = parseEvent(raw);
  const { deployment_id: id, occurred_at } = event.detail;
  if (Date.parse(occurred_at) > runtime.clock().getTime() + MAX_AHEAD_MS) {
    throw new MalformedEvent('detail.occurred_at: lies in the future');
  }
  if (isLedgerEvent(event)) {
    await changeDeployment(
      runtime,
      id,
      (deployment, _now, [item], recalled) => {
        if (!deployment) throw unknown();
        if (deployment.kind !== 'live') throw new MalformedEvent('the deployment does not trade');
        const books = recalled ? recallBooks(recalled, event) : readBooks(deployment, event, item);
        return applyLedgerEvent(runtime, deployment, event, books);
      },
      keysBeside(event),
      memory,
    );
    return;
  }
  await changeDeployment(runtime, id, (deployment) => {
    if (!deployment) throw unknown();
    return applyEvent(deployment, event);
  });
};
