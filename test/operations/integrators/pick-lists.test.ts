import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import * as z from 'zod';
import * as strategyRecords from '../../../shared/records/strategy.ts';
import * as tradingRecords from '../../../shared/records/trading.ts';
import type { TestHub } from '../../support/hub.ts';

/** A field that the next version adds to the records of the owner. */
const ADDED = { owner_note: 'A-NOTE-OF-THE-OWNER' };
const added = { owner_note: z.string().optional() };

const positionOut = tradingRecords.positionOut.extend(added);

jest.unstable_mockModule('../../../shared/records/trading.ts', () => ({
  ...tradingRecords,
  positionOut,
  liveDeploymentCustomOut: tradingRecords.liveDeploymentCustomOut.extend({
    ...added,
    positions: z.array(positionOut),
  }),
  presentTrading: (...input: Parameters<typeof tradingRecords.presentTrading>) => {
    const live = tradingRecords.presentTrading(...input);
    return { ...live, ...ADDED, positions: live.positions.map((position) => ({ ...position, ...ADDED })) };
  },
}));
const strategyShape = {
  ...strategyRecords.strategyShape,
  ...added,
  legs: z.array(z.object({ symbol: z.string(), weight: z.number(), ...added })),
};
const withNote = <S extends { legs: { symbol: string; weight: number }[] }>(strategy: S) => ({
  ...strategy,
  ...ADDED,
  legs: strategy.legs.map((leg) => ({ ...leg, ...ADDED })),
});
jest.unstable_mockModule('../../../shared/records/strategy.ts', () => ({
  ...strategyRecords,
  strategyShape,
  presentShape: (...input: Parameters<typeof strategyRecords.presentShape>) =>
    withNote(strategyRecords.presentShape(...input)),
  strategyOut: strategyRecords.strategyOut.extend(strategyShape),
  presentOwn: (...input: Parameters<typeof strategyRecords.presentOwn>) =>
    withNote(strategyRecords.presentOwn(...input)),
}));
// Imported after the modules are mocked.
const { startHub } = await import('../../support/hub.ts');
const { approvedBroker, registerAtBroker } = await import('../../support/brokers.ts');
const { accessOf, readAs } = await import('../../support/integrators.ts');
const { deployTrading, enterAll, report, reportOrder } = await import('../../support/trading.ts');
const { build, furnishWithInstruments, list } = await import('../../support/strategies.ts');

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await furnishWithInstruments(hub);
});
afterAll(() => hub.close());

const NOTE = ADDED.owner_note;

test('a new field of owners reaches neither their broker nor other users', async () => {
  const desk = await approvedBroker(hub);
  const token = await accessOf(hub, desk);
  const { user_id, user_key, email } = (await registerAtBroker(hub, desk.subdomain)).body;
  const { keygen, strategy_id } = (await build(hub, { user_id, symbol: 'AAPL' })).body;
  await list(hub, user_id, strategy_id);
  const { deployment_id } = (await deployTrading(hub, keygen)).body;
  await report(hub, 'Deployment Started', deployment_id);
  await reportOrder(hub, deployment_id, { client_order_id: 'first', expected_price: '99' });
  await enterAll(hub);

  // The owner gets the field, so the records of this test do have it.
  for (const [route, place] of [
    ['GET /get_all_live_deployments_v2', 'positions'],
    ['GET /get_strategies_by_user', 'legs'],
  ] as const) {
    const { body } = await hub.call(route, { query: { user_id } });
    expect(body.items[0].owner_note).toBe(NOTE);
    for (const inner of body.items[0][place]) expect(inner.owner_note).toBe(NOTE);
  }

  const user_email = email;
  const ids = { strategy_id: String(strategy_id), deployment_id: String(deployment_id) };
  for (const [route, query] of [
    ['GET /broker/get_all_user_deployments', { user_email }],
    ['GET /broker/get_user_strategies', { user_email }],
    ['GET /broker/get_all_user_scanners', { user_email }],
    ['GET /broker/get_all_trades_by_user_deployments', { user_email }],
    ['GET /broker/get_broker_user_slippage_by_email', { user_email }],
    ['GET /broker/get_user_strategy_performance', ids],
  ] as const) {
    const { status, text } = await readAs(hub, token, route, query);
    expect(status).toBe(200);
    expect(text).not.toContain('owner_note');
  }
  for (const [route, query] of [
    ['GET /get_published_strategies', { user_key }],
    ['POST /search_explore_strategies', { term: 'a' }],
  ] as const) {
    const { status, text } = await hub.call(route, { query });
    expect(status).toBe(200);
    expect(text).not.toContain('owner_note');
  }
});
