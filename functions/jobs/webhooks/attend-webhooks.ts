import { findDueEndpoints } from '../../../shared/data/webhooks/endpoint-health.ts';
import type { EndpointState } from '../../../shared/data/webhooks/endpoint-states.ts';
import { attendEndpoint } from '../../../shared/deliveries/webhooks/attend-endpoint.ts';
import type { Runtime } from '../../../shared/runtime.ts';
import { dueJob } from '../due-job.ts';
import { beginTurn, type OwnersTurn, turnsOf } from './turns.ts';

/** Attends to the endpoints of an owner in turn, also if one fails. @throws AggregateError of those that failed */
const attendOwner = async (
  runtime: Runtime,
  { due }: OwnersTurn<EndpointState>,
  hasTime: () => boolean,
): Promise<void> => {
  const goesOn = beginTurn(hasTime);
  const errors: unknown[] = [];
  for (const endpoint of due) {
    await attendEndpoint(runtime, endpoint).catch((error: unknown) => errors.push(error));
    if (!goesOn()) break;
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} endpoints of an owner failed`);
};

/** Sends the parked events of endpoints that failed, answered slowly or were enabled. */
export const attendWebhooks = dueJob({
  name: 'attend-webhooks',
  summary: 'Tries webhook endpoints that failed, and sends them what waits',
  expression: 'rate(1 minute)',
  timeZone: 'UTC',
  uses: ['webhooks', 'encryption'],
  find: async ({ store, clock }, limit, onDamaged) =>
    turnsOf(await findDueEndpoints(store, clock(), limit, onDamaged)),
  attend: attendOwner,
  nameOf: ({ owner }) => owner,
  page: 250,
  recordsOf: ({ due }) => due.length,
  atOnce: 50,
  called: 'owners of webhooks',
});
