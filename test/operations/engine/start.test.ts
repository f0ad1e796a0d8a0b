import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { takeEngineEvent } from '../../../functions/engine/take-event.ts';
import { ENGINE_REQUESTED, engineEvent } from '../../../shared/data/engine/events.ts';
import { startHub, type TestHub } from '../../support/hub.ts';
import { hubDeployed } from '../../support/hub-deployments.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub, ['SPY']);
});
afterAll(() => hub.close());

const start = async (id: number) => {
  const message = engineEvent(ENGINE_REQUESTED, id);
  if (message.kind !== 'domain_event') throw new Error('not an event');
  await takeEngineEvent(hub.runtime, { 'detail-type': message.detail_type, detail: message.detail });
};

const read = async (user_id: string) =>
  (await hub.call('GET /get_all_live_deployments_v2', { query: { user_id } })).body.items[0];

test('a deployment that the hub runs starts once', async () => {
  const { user_id, id } = await hubDeployed(hub);
  await start(id);
  await start(id);
  expect(await read(user_id)).toMatchObject({ deployment_id: id, status: 'active' });
});
