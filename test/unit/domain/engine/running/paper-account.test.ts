import { barCount, sliceBars } from '../../../../../shared/domain/candles/bars.ts';
import { observeBars } from '../../../../../shared/domain/engine/running/frames.ts';
import type { AccountReport } from '../../../../../shared/domain/engine/running/order-report.ts';
import {
  restorePaperAccount,
  savePaperAccount,
} from '../../../../../shared/domain/engine/running/paper-account.ts';
import { advancePaper } from '../../../../support/advance.ts';
import { paperOf } from '../../../../support/papers.ts';
import { barsAt, closeIs } from '../../../../support/small-backtests.ts';

const UNITS = { type: 'units', units: 10 };
const LONG = { side: 'long', when: closeIs(100), size: UNITS };
const percent = (value: number) => ({ type: 'percent', percent: value });
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const day = (index: number) => MONDAY + index * DAY_MS;

const shortly = (reports: readonly AccountReport[]) =>
  reports.map((report) =>
    report.kind === 'swap'
      ? [report.charge_id, report.amount]
      : [report.client_order_id, report.status, report.side, report.order_type, report.quantity],
  );

test('a market order is reported once, when it fills', () => {
  const { advance } = paperOf({ entries: [LONG] }, { account: { commission_rate: 0.001 } });
  const bars = barsAt([99, 100, [101, 102, 99, 101]]);
  expect(advance(sliceBars(bars, 0, 2)).reports).toEqual([]);
  expect(advance(sliceBars(bars, 2)).reports).toEqual([
    {
      kind: 'order',
      at: day(2),
      client_order_id: `X:${day(1)}:e0`,
      sequence: 1,
      symbol: 'X',
      side: 'buy',
      order_type: 'market',
      quantity: '10',
      filled_quantity: '10',
      average_price: '101',
      expected_price: '100',
      fees: '1.01',
      status: 'filled',
      facts: { place: 1 },
    },
  ]);
});

test('a limit order is reported when it is placed and when it expires', () => {
  const { advance } = paperOf({
    entries: [{ ...LONG, limit: { percent: -5 }, valid_bars: 1, stop_loss: percent(2) }],
  });
  const { reports } = advance(barsAt([99, 100, 101, 102]));
  const id = `X:${day(1)}:e0`;
  expect(reports).toMatchObject([
    {
      client_order_id: id,
      sequence: 1,
      at: day(1),
      status: 'open',
      quantity: '10',
      price: '95',
      stop_loss: '93.1',
    },
    { client_order_id: id, sequence: 2, at: day(2), status: 'expired', filled_quantity: '0', fees: '0' },
  ]);
});

test('a pause cancels waiting entries, places none and lets stops work', () => {
  const rules = { entries: [{ ...LONG, stop_loss: percent(5) }], pyramid: true, max_trades: 3 };
  const { advance } = paperOf(rules);
  const bars = barsAt([99, 100, 101, 100, 100, [101, 101, 90, 91]]);
  advance(sliceBars(bars, 0, 4));
  const { reports } = advance(sliceBars(bars, 4), false);
  expect(shortly(reports)).toEqual([
    [`X:${day(3)}:e0`, 'cancelled', 'buy', 'market', '10'],
    [`X:${day(5)}:x1`, 'filled', 'sell', 'stop', '10'],
  ]);
});

test('a paused account still closes the trade that an opposite entry reverses', () => {
  const short = { side: 'short', when: closeIs(110), size: UNITS };
  const { advance } = paperOf({ entries: [LONG, short], reverse: true });
  const bars = barsAt([99, 100, 101, 110, 111, 112]);
  advance(sliceBars(bars, 0, 3));
  expect(shortly(advance(sliceBars(bars, 3), false).reports)).toEqual([
    [`X:${day(4)}:x1`, 'filled', 'sell', 'market', '10'],
  ]);
});

/** Rules that buy at each close of 100, and their trade of day 2. */
const PYRAMID = { entries: [LONG], pyramid: true, max_trades: 3 };
const FIRST = `X:${day(1)}:e0`;
const CLOSE = { number: 1, type: 'close', order: FIRST, price: 101.5, client_order_id: 'manual-1' } as const;

test('a manual close ends the trade of an order at the price of the owner, once', () => {
  const { live, paper, advance } = paperOf(PYRAMID, { account: { commission_fixed: 1 } });
  const bars = barsAt([99, 100, 100, 101, 102, 103, 104]);
  advance(sliceBars(bars, 0, 3));
  const frames = observeBars(live, sliceBars(bars, 3, 6));
  const { reports, decisions } = advancePaper(live, paper, frames, { inputs: [{ ...CLOSE, after: day(4) }] });
  expect(shortly(reports)).toEqual([
    [`X:${day(2)}:e0`, 'filled', 'buy', 'market', '10'],
    ['manual-1', 'filled', 'sell', 'market', '10'],
  ]);
  expect(reports[1]).toMatchObject({
    sequence: 0,
    at: day(4),
    average_price: '101.5',
    fees: '0',
    closes: FIRST,
    status_message: 'closed manually',
  });
  expect(decisions.at(-1)).toEqual({ at: day(4), text: 'sold 10 at 101.5: closed manually' });
  expect(paper.account).toMatchObject({ cash: 10_013, equity: 10_033, trades: [{ entryPrice: 101 }] });
  const later = observeBars(live, sliceBars(bars, 6));
  expect(advancePaper(live, paper, later, { inputs: [{ ...CLOSE, after: day(4) }] }).reports).toEqual([]);
});

test('commands stop and resume entries after the bars that they name', () => {
  const { live, paper } = paperOf({ entries: [LONG] });
  const frames = observeBars(live, barsAt([99, 100, 99, 100, 99, 100, 99]));
  const holds = [
    { number: 1, type: 'pause', flatten: false, after: day(0) },
    { number: 2, type: 'resume', flatten: false, after: day(3) },
  ] as const;
  const { reports, decisions } = advancePaper(live, paper, frames, { holds });
  expect(shortly(reports)).toEqual([[`X:${day(5)}:e0`, 'filled', 'buy', 'market', '10']]);
  expect(decisions.map(({ text }) => text.replace(/^.*: (?=no|buy)/, ''))).toEqual([
    'no entry, the deployment is paused',
    'no entry, the deployment is paused',
    'buy',
    'bought 10 at 99',
  ]);
});

test('accounts with inputs and commands are the same in any division of the bars', () => {
  const bars = barsAt([99, 100, 100, 101, 102, 100, 104, 100, 105]);
  const inputs = [{ ...CLOSE, after: day(3) }];
  const holds = [
    { number: 2, type: 'pause', flatten: false, after: day(4) },
    { number: 3, type: 'resume', flatten: false, after: day(6) },
  ] as const;
  const run = (size: number) => {
    const { live, paper } = paperOf(PYRAMID);
    const settings = paper.account.settings;
    let current = paper;
    const reports: AccountReport[] = [];
    for (let at = 0; at < barCount(bars); at += size) {
      const frames = observeBars(live, sliceBars(bars, at, at + size));
      reports.push(...advancePaper(live, current, frames, { inputs, holds }).reports);
      current = restorePaperAccount(settings, savePaperAccount(current));
    }
    return { reports, saved: savePaperAccount(current) };
  };
  const whole = run(barCount(bars));
  expect(whole.reports.length).toBeGreaterThan(3);
  for (const size of [1, 2, 4]) expect(run(size)).toEqual(whole);
});

test('flattening closes trades at the close of the last bar with the costs of a market order, and drops orders', () => {
  const { live, paper } = paperOf(PYRAMID, { account: { slippage_rate: 0.01, commission_fixed: 1 } });
  const bars = barsAt([99, 100, 101, 100, 102, 100, 120, 80]);
  const holds = [
    { number: 4, type: 'halt', flatten: true, after: day(4) },
    { number: 9, type: 'resume', flatten: false, after: day(6) },
  ] as const;
  const first = advancePaper(live, paper, observeBars(live, sliceBars(bars, 0, 5)), { holds });
  const closes = first.reports.filter((report) => report.kind === 'order' && report.closes !== undefined);
  expect(closes.length).toBeGreaterThan(0);
  for (const close of closes) {
    expect(close).toMatchObject({
      at: day(4),
      order_type: 'market',
      status: 'filled',
      average_price: '100.98',
      fees: '1',
      status_message: 'all positions are closed',
    });
  }
  expect(paper.account).toMatchObject({ trades: [], orders: [], isClosing: false });
  expect(paper.account.equity).toBe(paper.account.cash);
  const halted = advancePaper(live, paper, observeBars(live, sliceBars(bars, 5, 7)), { holds });
  expect(halted.reports).toEqual([]);
  expect(advancePaper(live, paper, observeBars(live, sliceBars(bars, 7)), { holds }).reports).toEqual([]);
  expect(paper).toMatchObject({ holds: 9, isPaused: false, isHalted: false });
});

test('a halt without flattening keeps trades, and neither stops nor exits work', () => {
  const rules = { entries: [{ ...LONG, stop_loss: { type: 'percent', percent: 5 } }] };
  const { live, paper } = paperOf(rules);
  const bars = barsAt([99, 100, 101, 90, 80, 101, 70]);
  const holds = [
    { number: 1, type: 'halt', flatten: false, after: day(2) },
    { number: 2, type: 'resume', flatten: false, after: day(5) },
  ] as const;
  const before = advancePaper(live, paper, observeBars(live, sliceBars(bars, 0, 6)), { holds });
  expect(shortly(before.reports)).toEqual([[`X:${day(1)}:e0`, 'filled', 'buy', 'market', '10']]);
  expect(paper.account.equity).toBeLessThan(paper.account.settings.starting_capital + 1);
  const after = advancePaper(live, paper, observeBars(live, sliceBars(bars, 6)), { holds });
  expect(after.reports).toMatchObject([{ at: day(6), status_message: 'stop loss' }]);
});

test('an active account refuses frames that begin after its cursor', () => {
  const { live, advance, paper } = paperOf({ entries: [LONG] });
  const bars = barsAt([99, 100, 101, 102, 103]);
  advance(sliceBars(bars, 0, 3));
  paper.index -= 1;
  expect(() => advance(sliceBars(bars, 3))).toThrow(RangeError);
  expect(live.index).toBe(5);
});
