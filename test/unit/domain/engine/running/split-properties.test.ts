import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type BarColumns, barCount, sliceBars } from '../../../../../shared/domain/candles/bars.ts';
import { plainSettings } from '../../../../../shared/domain/engine/account/settings.ts';
import { observeBars } from '../../../../../shared/domain/engine/running/frames.ts';
import type { AccountReport } from '../../../../../shared/domain/engine/running/order-report.ts';
import {
  openPaperAccount,
  type PaperAccount,
  restorePaperAccount,
  savePaperAccount,
} from '../../../../../shared/domain/engine/running/paper-account.ts';
import {
  type RunningProgram,
  startProgram,
} from '../../../../../shared/domain/engine/running/running-program.ts';
import { splitPaper } from '../../../../../shared/domain/engine/running/split-paper.ts';
import { parseRatio, type Ratio } from '../../../../../shared/domain/splits/ratio.ts';
import { splitBars } from '../../../../../shared/domain/splits/split-bars.ts';
import { advancePaper } from '../../../../support/advance.ts';
import { paperOf } from '../../../../support/papers.ts';
import { type RandomBacktest, randomBacktests } from '../../../../support/random-backtests.ts';
import { plainRules } from '../../../../support/rules.ts';
import { barsAt, closeIs } from '../../../../support/small-backtests.ts';
import { soakable } from '../../../../support/soak.ts';

const SYMBOL = 'S0';
const ratioOf = (text: string): Ratio => {
  const ratio = parseRatio(text);
  if (!ratio) throw new Error(`${text} is no ratio`);
  return ratio;
};
/** Ratios that doubles hold exactly. */
const EXACT = ['2:1', '4:1', '1:2', '1:8'].map(ratioOf);

interface Case {
  readonly test: RandomBacktest;
  readonly ratio: Ratio;
  /** Number of bars before the split. */
  readonly old: number;
}

const average = fc.record({
  indicator: fc.constantFrom('sma', 'ema', 'wma', 'highest', 'vwap'),
  length: fc.integer({ min: 2, max: 20 }),
});
const atr = fc.record({
  type: fc.constant('atr'),
  length: fc.integer({ min: 2, max: 20 }),
  multiple: fc.integer({ min: 1, max: 6 }),
});
const distance = fc.option(
  fc.oneof(atr, fc.record({ type: fc.constant('percent'), percent: fc.integer({ min: 1, max: 12 }) })),
  { nil: undefined },
);
const price = fc.option(fc.record({ percent: fc.integer({ min: -3, max: 3 }) }), { nil: undefined });

/** Rules that compare prices with prices and trade often. */
const pricedRules = fc
  .record({
    entries: fc.array(
      fc
        .record({
          side: fc.constantFrom('long', 'short'),
          when: fc.record({
            left: fc.constant({ price: 'close' }),
            op: fc.constantFrom('gt', 'lt', 'crosses_above'),
            right: average,
          }),
          isStop: fc.boolean(),
          price,
          valid_bars: fc.integer({ min: 1, max: 9 }),
          stop_loss: distance,
          take_profit: distance,
          trailing_stop: distance,
        })
        .map(({ isStop, price: offset, valid_bars, ...entry }) => ({
          ...entry,
          ...(offset && { [isStop ? 'stop' : 'limit']: offset, valid_bars }),
        })),
      { minLength: 1, maxLength: 2 },
    ),
    exits: fc.constantFrom([], [{ side: 'long', when: { bars_in_trade: 30 }, portion: 0.5 }]),
    reverse: fc.boolean(),
    pyramid: fc.boolean(),
    max_trades: fc.integer({ min: 1, max: 3 }),
  })
  .map((rules) => plainRules(JSON.parse(JSON.stringify({ schema: 'hub.rules/1', ...rules }))));

/** Sizes are shares of the equity and steps are fine, so that decisions do not depend on the units of sizes. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    test: fc
      .tuple(randomBacktests(1, 400), fc.option(pricedRules, { nil: undefined, freq: 4 }))
      .map(([each, rules]) => (rules ? { ...each, input: { ...each.input, rules } } : each)),
    ratio: fc.constantFrom(...EXACT),
    part: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
  })
  .map(({ test: { input, bars }, ratio, part }) => {
    const rules = {
      ...input.rules,
      entries: input.rules.entries.map((entry) => ({
        ...entry,
        size: { type: 'equity_percent', percent: 20 } as const,
      })),
    };
    const old = Math.max(1, Math.floor(part * barCount(bars[0] ?? barsAt([1]))));
    return { test: { input: { ...input, rules }, bars }, ratio, old };
  });

const partsOf = ({ test: { input, bars } }: Case) => {
  const [leg, own] = [input.legs[0], bars[0]];
  if (!leg || !own) throw new Error('the backtest has no leg');
  const settings = { ...plainSettings(1e6), size_step: 2 ** -20 };
  const begin = () => startProgram(input.rules, input.timeframe, leg.time);
  return { bars: own, settings, begin };
};

/** Returns fills in words, with prices in units of `ratio` to one. */
const fillsOf = (reports: readonly AccountReport[], { units, of }: Ratio): string[] =>
  reports.flatMap((report) => {
    if (report.kind === 'swap' || report.status !== 'filled') return [];
    if (report.status_message === 'the part that makes no whole step after the split') return [];
    const price = (Number(report.average_price) * of) / units;
    return [`${report.at} ${report.side} ${report.order_type} ${price.toPrecision(9)}`];
  });

const SAME: Ratio = { units: 1, of: 1 };

/** Returns what became of each order in words, also of those that no price has reached. */
const ordersOf = (reports: readonly AccountReport[]): string[] =>
  reports.flatMap((report) =>
    report.kind === 'swap' ? [] : [`${report.at} ${report.side} ${report.order_type} ${report.status}`],
  );

const runWhole = (own: Case, bars: BarColumns): readonly AccountReport[] => {
  const { begin, settings } = partsOf(own);
  const live = begin();
  const paper = openPaperAccount(settings, live.program.trading, SYMBOL, { at: Number.NaN, index: 0 });
  return advancePaper(live, paper, observeBars(live, bars)).reports;
};

interface SplitRun {
  readonly before: readonly AccountReport[];
  readonly paid: readonly AccountReport[];
  readonly after: readonly AccountReport[];
  readonly live: RunningProgram;
}

/** Trades bars in old units, then those in new units with a program that is warmed up on restated bars. */
const runSplit = (own: Case, check: (paper: PaperAccount, split: () => void) => void): SplitRun => {
  const { bars, settings, begin } = partsOf(own);
  const { ratio, old } = own;
  const at = bars.start[old] ?? 0;
  const first = begin();
  let paper = openPaperAccount(settings, first.program.trading, SYMBOL, { at: Number.NaN, index: 0 });
  const before = advancePaper(first, paper, observeBars(first, sliceBars(bars, 0, old))).reports;
  const restated = splitBars(bars, [{ at: Number.POSITIVE_INFINITY, ...ratio }]);
  const paid: AccountReport[] = [];
  check(paper, () => paid.push(...splitPaper(paper, first.program.trading, ratio)));
  const live = begin();
  observeBars(live, splitBars(sliceBars(bars, 0, old), [{ at, ...ratio }]));
  expect(live.index).toBe(paper.index);
  paper = restorePaperAccount(settings, savePaperAccount(paper));
  const after = advancePaper(live, paper, observeBars(live, sliceBars(restated, old))).reports;
  return { before, paid, after, live };
};

test('an account that is split decides as it would on candles that were adjusted from the start', () => {
  let fills = 0;
  let held = 0;
  fc.assert(
    fc.property(cases, (own) => {
      const { bars } = partsOf(own);
      const adjusted = runWhole(own, splitBars(bars, [{ at: Number.POSITIVE_INFINITY, ...own.ratio }]));
      const expected = fillsOf(adjusted, SAME);
      // Rules with absolute prices or distances mean other things in new units, and place other orders there.
      const old = runWhole(own, bars);
      fc.pre(fillsOf(old, own.ratio).join() === expected.join());
      fc.pre(ordersOf(old).join() === ordersOf(adjusted).join());
      const { before, after } = runSplit(own, (paper, split) => {
        held += paper.account.trades.length;
        split();
      });
      fills += expected.length;
      expect([...fillsOf(before, own.ratio), ...fillsOf(after, SAME)]).toEqual(expected);
    }),
    { numRuns: soakable(60, 600) },
  );
  expect(fills).toBeGreaterThan(50);
  expect(held).toBeGreaterThan(5);
});

test('a split keeps cash and equity, and all trades have whole steps', () => {
  const ratios = fc.constantFrom(...['3:1', '3:2', '1:10', '7:3', '1:3'].map(ratioOf), ...EXACT);
  fc.assert(
    fc.property(cases, ratios, (own, ratio) => {
      runSplit({ ...own, ratio }, (paper, split) => {
        const { account } = paper;
        const { equity, cash, trades } = account;
        const steps = trades.map((trade) => trade.steps);
        split();
        expect(Math.abs(account.equity - equity)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(equity)));
        if (ratio.of === 1) expect(account.cash).toBe(cash);
        for (const trade of account.trades) expect(Number.isInteger(trade.steps)).toBe(true);
        const lost = steps.reduce((sum, each) => sum + (each % ratio.of), 0);
        const total = account.trades.reduce((sum, trade) => sum + trade.steps, 0);
        const whole = steps.reduce((sum, each) => sum + each, 0);
        expect(total).toBe(((whole - lost) / ratio.of) * ratio.units);
      });
    }),
    { numRuns: soakable(60, 600) },
  );
});

const LONG = { side: 'long', when: closeIs(100), size: { type: 'units', units: 23 } };

test('a fraction is paid out at the last close, without costs, before the split', () => {
  const { live, paper, advance } = paperOf({ entries: [LONG] }, { account: { commission_fixed: 1 } });
  advance(barsAt([99, 100, 101, 105]));
  expect(paper.account).toMatchObject({ cash: 9_999, equity: 10_091, trades: [{ steps: 23 }] });
  const paid = splitPaper(paper, live.program.trading, ratioOf('1:10'));
  expect(paid).toMatchObject([
    { side: 'sell', quantity: '3', filled_quantity: '3', average_price: '105', fees: '0', status: 'filled' },
  ]);
  expect(paper.account).toMatchObject({
    cash: 10_011,
    equity: 10_091,
    close: 1050,
    trades: [{ steps: 2, entryPrice: 1010 }],
  });
});

test('stops, targets and orders that wait are restated, and the jump fills none of them', () => {
  const protectedLong = {
    ...LONG,
    size: { type: 'units', units: 10 },
    stop_loss: { type: 'percent', percent: 5 },
    take_profit: { type: 'points', points: 50 },
  };
  const limit = { side: 'short', when: closeIs(104), limit: { percent: -10 }, size: LONG.size };
  const held = paperOf({ entries: [protectedLong] });
  held.advance(barsAt([99, 100, 101, 104]));
  expect(splitPaper(held.paper, held.live.program.trading, ratioOf('4:1'))).toEqual([]);
  expect(held.paper.account.trades).toMatchObject([
    { steps: 40, entryPrice: 25.25, stop: expect.closeTo(23.9875, 9), target: 37.75 },
  ]);
  const waiting = paperOf({ entries: [limit] });
  waiting.advance(barsAt([99, 100, 101, 104]));
  splitPaper(waiting.paper, waiting.live.program.trading, ratioOf('4:1'));
  expect(waiting.paper.account.orders).toMatchObject([{ price: expect.closeTo(28.6, 9), signalClose: 26 }]);
  expect([...waiting.paper.waiting.values()]).toEqual(['92']);
});
