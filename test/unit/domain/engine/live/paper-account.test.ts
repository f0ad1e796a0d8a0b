import { sliceBars } from '../../../../../shared/domain/candles/bars.ts';
import { closePaper } from '../../../../../shared/domain/engine/live/advance-paper.ts';
import type { AccountReport } from '../../../../../shared/domain/engine/live/reports.ts';
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

test('a manual close ends all trades and orders at once, and the account trades on', () => {
  const { live, paper, advance } = paperOf({ entries: [LONG] });
  const bars = barsAt([99, 100, 101, 100, 102]);
  advance(sliceBars(bars, 0, 3));
  const reports = closePaper(live, paper, { price: 101.5, at: day(2) });
  expect(reports).toMatchObject([
    { side: 'sell', quantity: '10', average_price: '101.5', status_message: 'closed manually', at: day(2) },
  ]);
  expect(paper.account.cash).toBe(10_005);
  expect(shortly(advance(sliceBars(bars, 3)).reports)).toEqual([
    [`X:${day(3)}:e0`, 'filled', 'buy', 'market', '10'],
  ]);
});

test('an active account refuses frames that begin after its cursor', () => {
  const { live, advance, paper } = paperOf({ entries: [LONG] });
  const bars = barsAt([99, 100, 101, 102, 103]);
  advance(sliceBars(bars, 0, 3));
  paper.index -= 1;
  expect(() => advance(sliceBars(bars, 3))).toThrow(RangeError);
  expect(live.index).toBe(5);
});
