import { beforeAll, expect, test } from '@jest/globals';
import { listShipped, loadCandles, readShipped } from '../../infra/candles/load.ts';
import { loadCatalogue } from '../../infra/catalogue/load.ts';
import { importSpan, removeSeries } from '../../shared/data/candles/import-bars.ts';
import { findCandleSeries, readCandles } from '../../shared/data/candles/read-candles.ts';
import { kindOf } from '../../shared/data/candles/series.ts';
import { barAt, barCount, sliceBars } from '../../shared/domain/candles/bars.ts';
import { candlesHash } from '../../shared/domain/candles/candles-hash.ts';
import { faultOf } from '../../shared/domain/candles/checks.ts';
import { qualityOf } from '../../shared/domain/candles/quality.ts';
import { openStore } from '../support/open-store.ts';

const SHIPPED = listShipped();
const ALL = { from: 0, to: Number.POSITIVE_INFINITY };

const { store } = await openStore();

beforeAll(async () => {
  await loadCatalogue(store);
  expect(await loadCandles(store)).toBe(SHIPPED.length);
});

test.each(SHIPPED)('$symbol $timeframe is stored as shipped, without faults', async (shipped) => {
  const series = await findCandleSeries(store, shipped.symbol, shipped.timeframe);
  if (!series) throw new Error('the series is not stored');
  const { bars } = await readCandles(store, series, shipped.timeframe, ALL);
  expect(barCount(bars)).toBe(shipped.bars);
  expect(candlesHash([bars])).toBe(shipped.hash);
  const kind = kindOf(series);
  let previous: ReturnType<typeof barAt>;
  for (let index = 0; index < barCount(bars); index++) {
    const bar = barAt(bars, index);
    expect(bar && faultOf(bar, previous, kind)).toBeUndefined();
    previous = bar;
  }
  // Holidays and early closes of the calendar are those of the recorded years.
  if (series.calendar === 'us') expect(qualityOf(bars, kind)).toMatchObject({ missing: 0 });
});

test('loading again writes nothing, completes what is missing and leaves other sources', async () => {
  expect(await loadCandles(store)).toBe(0);
  const [spy, , ibm] = SHIPPED;
  if (!spy || !ibm) throw new Error('a series is not shipped');
  for (const one of [spy, ibm]) {
    const series = await findCandleSeries(store, one.symbol, one.timeframe);
    if (!series) throw new Error('the series is not stored');
    await removeSeries(store, series);
    const source = one === spy ? series.source : 'mine';
    await importSpan(store, { ...series, source }, sliceBars(readShipped(one), 0, 100));
  }
  expect(await loadCandles(store)).toBe(1);
  expect(await findCandleSeries(store, spy.symbol, '1d')).toMatchObject({ count: spy.bars });
  expect(await findCandleSeries(store, ibm.symbol, '1d')).toMatchObject({ count: 100, source: 'mine' });
});
