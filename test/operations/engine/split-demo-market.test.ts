import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { expect, test } from '@jest/globals';
import { DEMO_INSTRUMENTS } from '../../../infra/local/market/instruments.ts';
import { loadMarket, startMarket } from '../../../infra/local/market/market.ts';
import { BAR_MS } from '../../../infra/local/market/prices.ts';
import { findSeries, type Series } from '../../../shared/data/candles/series.ts';
import { declareSplit } from '../../../shared/lifecycle/declare-split.ts';
import { takeEngineEvent } from '../../support/functions/engine.ts';
import { worker } from '../../support/hub-engine.ts';
import { openHub } from '../../support/open-hub.ts';

const SYMBOL = DEMO_INSTRUMENTS[0]?.symbol ?? '';
const hub = await openHub();
const { store } = hub.runtime;

const head = async (): Promise<Series> => {
  const [series] = await findSeries(store, SYMBOL, ['1m']);
  if (!series) throw new Error('no series');
  return series;
};

/** Runs the market until the engine has taken a number of bars of the symbol. */
const run = async (count: number): Promise<void> => {
  const { engine } = worker(hub);
  const reached = Promise.withResolvers<void>();
  let taken = 0;
  const client = new EventBridgeClient({ region: 'us-east-1' });
  client.middlewareStack.add(
    () =>
      async ({ input }) => {
        for (const { Source, DetailType, Detail } of 'Entries' in input ? (input.Entries ?? []) : []) {
          const detail = JSON.parse(Detail ?? '{}');
          if (DetailType !== 'Bar Closed' || detail.symbol !== SYMBOL || taken >= count) continue;
          const time = hub.runtime.clock().toISOString();
          await takeEngineEvent(engine, { source: Source, 'detail-type': DetailType, time, detail });
          taken += 1;
        }
        if (taken >= count) reached.resolve();
        return { response: {}, output: { $metadata: {}, FailedEntryCount: 0 } };
      },
    { step: 'initialize' },
  );
  const market = await startMarket({ store, client, bus: 'default', everyMs: 1, onError: reached.reject });
  await reached.promise;
  await market.close();
};

test('the demo market sends bars in new units from a declared split on, also after a restart', async () => {
  await loadMarket(store, hub.runtime.clock().getTime());
  const { last, bars } = await head();
  const at = last + 2 * BAR_MS;
  await declareSplit(store, SYMBOL, () => true, { at, units: 4, of: 1 }, hub.runtime.clock());
  await run(3);
  await run(2);
  const after = await head();
  expect(after).toMatchObject({ last: last + 5 * BAR_MS, splits: [{ at, units: 4, of: 1 }] });
  expect(after.held).toBeUndefined();
  const before = bars.close.at(-1) ?? 0;
  expect((after.bars.close.at(-1) ?? 0) / before).toBeCloseTo(0.25, 1);
});
