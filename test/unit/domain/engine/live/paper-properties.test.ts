import fc from 'fast-check';
import { barCount, firstBarFrom, sliceBars } from '../../../../../shared/domain/candles/bars.ts';
import type { Account } from '../../../../../shared/domain/engine/account/account.ts';
import { saveAccount } from '../../../../../shared/domain/engine/account/saved-account.ts';
import type { AccountSettings } from '../../../../../shared/domain/engine/account/settings.ts';
import { advanceBacktest } from '../../../../../shared/domain/engine/backtest/advance.ts';
import { type BacktestTrade, startBacktest } from '../../../../../shared/domain/engine/backtest/run.ts';
import { advancePaper } from '../../../../../shared/domain/engine/live/advance-paper.ts';
import { hasEntrySignal, observeBars } from '../../../../../shared/domain/engine/live/frames.ts';
import {
  restoreLiveProgram,
  saveLiveProgram,
  startLiveProgram,
} from '../../../../../shared/domain/engine/live/live-program.ts';
import type { AccountReport } from '../../../../../shared/domain/engine/live/order-report.ts';
import {
  isActive,
  openPaperAccount,
  restorePaperAccount,
  savePaperAccount,
} from '../../../../../shared/domain/engine/live/paper-account.ts';
import { tradesOf } from '../../../../support/paper-trades.ts';
import {
  type RandomBacktest,
  randomBacktests,
  tradingBacktest,
} from '../../../../support/random-backtests.ts';
import { soakable } from '../../../../support/soak.ts';

const SYMBOL = 'S0';
const numRuns = soakable(40, 500);

/** Reads the only leg of a backtest. */
const legOf = ({ input, bars: [bars] }: RandomBacktest) => {
  const [leg] = input.legs;
  if (!leg || !bars) throw new Error('the backtest has no leg');
  const { size_step, contract_size, direction, swap } = leg;
  const settings: AccountSettings = {
    ...input.account,
    size_step,
    contract_size,
    direction,
    ...(swap && { swap }),
  };
  return { leg, bars, settings };
};

/** Division of the bars: sizes of the parts, and whether each is given again after a restart from the state before. */
const divisions = fc.array(
  fc.record({ bars: fc.integer({ min: 1, max: 60 }), isRepeated: fc.boolean(), isRestored: fc.boolean() }),
  { minLength: 1, maxLength: 12 },
);
type Division = readonly {
  readonly bars: number;
  readonly isRepeated: boolean;
  readonly isRestored: boolean;
}[];
const WHOLE: Division = [{ bars: 60, isRepeated: true, isRestored: true }];

interface Outcome {
  readonly account: Account;
  readonly reports: readonly AccountReport[];
}

/** Advances a paper account through bars in parts. @param lags whether the account is served only when it has to be. */
const runPaper = (test: RandomBacktest, division: Division, lags: boolean): Outcome => {
  const { leg, bars, settings } = legOf(test);
  const { rules, timeframe, from } = test.input;
  const restored = (text: string) => restoreLiveProgram(rules, timeframe, leg.time, 1, text);
  let live = startLiveProgram(rules, timeframe, leg.time, 1);
  const begin = from === undefined ? 0 : firstBarFrom(bars, from);
  if (begin > 0) observeBars(live, sliceBars(bars, 0, begin));
  let paper = openPaperAccount(settings, live.program.trading, SYMBOL, {
    at: bars.start[begin - 1] ?? Number.NaN,
    index: live.index,
  });
  const reports: AccountReport[] = [];
  for (let at = begin, part = 0; at < barCount(bars); part += 1) {
    const { bars: size, isRepeated, isRestored } = division[part % division.length] ?? { bars: 1 };
    const slice = sliceBars(bars, at, at + size);
    at += size;
    const before = saveLiveProgram(live);
    if (isRestored) live = restored(before);
    const frames = observeBars(live, slice);
    const isNeeded =
      isActive(paper) ||
      Array.from(slice.start, (_, position) => position).some((position) => hasEntrySignal(frames, position));
    if (!lags || isNeeded) {
      reports.push(...advancePaper(live, paper, frames).reports);
      if (isRestored) paper = restorePaperAccount(settings, savePaperAccount(paper));
    }
    if (!isRepeated) continue;
    expect(observeBars(live, slice).observations).toEqual([]);
    const again = restored(before);
    const repeated = advancePaper(again, paper, observeBars(again, slice));
    expect(repeated.reports).toEqual([]);
    live = again;
  }
  return { account: paper.account, reports };
};

/** Runs the backtest without the end of the data. */
const runLeg = ({ input, bars }: RandomBacktest): { account: Account; trades: readonly BacktestTrade[] } => {
  const run = startBacktest(input);
  advanceBacktest(run, bars);
  const [leg] = run.legs;
  if (!leg) throw new Error('the backtest has no leg');
  return { account: leg.account, trades: run.trades };
};

const near = (value: number, expected: number, scale: number): void => {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-11 * Math.max(1, scale));
};

const expectSameTrades = (reports: readonly AccountReport[], test: RandomBacktest): void => {
  const { settings } = legOf(test);
  const { account, trades } = runLeg(test);
  const { closed, open } = tradesOf(reports, settings.contract_size);
  const named = ({ side, entry_at, exit_at }: { side: string; entry_at: number; exit_at: number }) => [
    side,
    entry_at,
    exit_at,
  ];
  expect(closed.map(named)).toEqual(trades.map(named));
  for (const [index, trade] of closed.entries()) {
    const expected = trades[index];
    if (!expected) throw new Error('a trade is missing');
    const value = expected.entry_price * expected.quantity * settings.contract_size;
    near(trade.quantity, expected.quantity, expected.quantity);
    near(trade.entry_price, expected.entry_price, expected.entry_price);
    near(trade.exit_price, expected.exit_price, expected.exit_price);
    near(trade.fees, expected.fees, value);
    near(trade.pnl, expected.pnl, value);
  }
  expect(open.map(({ entry }) => [entry.side, entry.at])).toEqual(
    account.trades.map(({ side, entryAt }) => [side === 1 ? 'buy' : 'sell', entryAt]),
  );
  for (const [index, { quantity }] of open.entries()) {
    const expected = (account.trades[index]?.steps ?? 0) * settings.size_step;
    near(quantity, expected, expected);
  }
};

test('a paper account ends as its backtest, in any division of the bars, with restarts and repeats', () => {
  let trades = 0;
  fc.assert(
    fc.property(randomBacktests(1), divisions, (test, division) => {
      const { account, reports } = runPaper(test, division, false);
      const expected = runLeg(test);
      trades += expected.trades.length;
      expect(saveAccount(account)).toEqual(saveAccount(expected.account));
      expectSameTrades(reports, test);
    }),
    { numRuns, examples: [[tradingBacktest(), WHOLE]] },
  );
  expect(trades).toBeGreaterThan(0);
});

test('a paper account that is only served while it is active or may enter trades as its backtest', () => {
  fc.assert(
    fc.property(randomBacktests(1), divisions, (test, division) => {
      expectSameTrades(runPaper(test, division, true).reports, test);
    }),
    { numRuns },
  );
});

test('reports of an order have ids of their own and ascending sequences', () => {
  fc.assert(
    fc.property(randomBacktests(1), divisions, (test, division) => {
      const sequences = new Map<string, number[]>();
      const ended = new Set<string>();
      for (const report of runPaper(test, division, false).reports) {
        if (report.kind === 'swap') continue;
        const { client_order_id: id, sequence, status } = report;
        expect(ended).not.toContain(id);
        sequences.set(id, [...(sequences.get(id) ?? []), sequence]);
        if (status !== 'open') ended.add(id);
        expect(Number(report.quantity)).toBeGreaterThan(0);
        expect(report.order_type !== 'market' || status !== 'open').toBe(true);
      }
      for (const [id, known] of sequences) {
        expect(known).toEqual(known.length === 1 ? [known[0]] : [1, 2]);
        expect(id).toMatch(/^S0:\d+:[ex]\d+$/);
      }
    }),
    { numRuns },
  );
});
