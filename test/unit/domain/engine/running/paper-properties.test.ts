import fc from 'fast-check';
import { barCount, firstBarFrom, sliceBars } from '../../../../../shared/domain/candles/bars.ts';
import type { Account, AccountEvent } from '../../../../../shared/domain/engine/account/account.ts';
import { saveAccount } from '../../../../../shared/domain/engine/account/saved-account.ts';
import type { AccountSettings } from '../../../../../shared/domain/engine/account/settings.ts';
import { advanceBacktest } from '../../../../../shared/domain/engine/backtest/advance.ts';
import { type BacktestTrade, startBacktest } from '../../../../../shared/domain/engine/backtest/run.ts';
import { hasEntrySignal, observeBars } from '../../../../../shared/domain/engine/running/frames.ts';
import type { AccountReport } from '../../../../../shared/domain/engine/running/order-report.ts';
import {
  isActive,
  openPaperAccount,
  restorePaperAccount,
  savePaperAccount,
} from '../../../../../shared/domain/engine/running/paper-account.ts';
import {
  restoreProgram,
  saveProgram,
  startProgram,
} from '../../../../../shared/domain/engine/running/running-program.ts';
import type { Trade } from '../../../../../shared/domain/ledger/account.ts';
import { applySwapCharge } from '../../../../../shared/domain/ledger/ledger-events.ts';
import { applyOrderUpdate } from '../../../../../shared/domain/ledger/ledger-orders.ts';
import { openLedger } from '../../../../../shared/domain/ledger/ledger-state.ts';
import type { Order } from '../../../../../shared/domain/orders/order-record.ts';
import { orderUpdateSchema } from '../../../../../shared/domain/orders/order-update.ts';
import { advancePaper } from '../../../../support/advance.ts';
import { tradesOf } from '../../../../support/paper-trades.ts';
import {
  type RandomBacktest,
  randomBacktests,
  tradingBacktest,
} from '../../../../support/random-backtests.ts';
import { plainRules } from '../../../../support/rules.ts';
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
  const restored = (text: string) => restoreProgram(rules, timeframe, leg.time, text);
  let live = startProgram(rules, timeframe, leg.time);
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
    const before = saveProgram(live);
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

const distance = fc.option(fc.record({ type: fc.constant('percent'), percent: fc.constantFrom(0.5, 1, 3) }), {
  nil: undefined,
  freq: 2,
});

const busyEntry = (side: 'long' | 'short', op: 'gt' | 'lt') =>
  fc
    .record({
      ago: fc.integer({ min: 1, max: 3 }),
      kind: fc.constantFrom('market', 'market', 'limit', 'stop'),
      offset: fc.constantFrom(-0.5, 0, 0.5),
      stop_loss: distance,
      take_profit: distance,
      trailing_stop: distance,
      units: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ ago, kind, offset, units, ...protection }) => ({
      side,
      when: { left: { price: 'close' }, op, right: { price: 'close', ago } },
      size: { type: 'units', units },
      ...(kind !== 'market' && { [kind]: { percent: offset }, valid_bars: 3 }),
      ...protection,
    }));

/** Generates backtests that trade in most bars: with reversals, pyramids, partial exits, and several fills of one time. */
const busyBacktests = fc
  .record({
    test: randomBacktests(1, 120),
    entries: fc.tuple(busyEntry('long', 'gt'), busyEntry('short', 'lt')),
    exits: fc.array(
      fc.record({
        side: fc.constantFrom('long', 'short'),
        when: fc.record({ bars_in_trade: fc.integer({ min: 1, max: 3 }) }),
        portion: fc.constantFrom(1, 0.5, 0.3),
      }),
      { maxLength: 2 },
    ),
    reverse: fc.boolean(),
    pyramid: fc.boolean(),
    max_trades: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ test, ...rules }): RandomBacktest => {
    const busy = plainRules(JSON.parse(JSON.stringify({ schema: 'hub.rules/1', ...rules })));
    const account = { ...test.input.account, starting_capital: 1e6 };
    return { ...test, input: { ...test.input, rules: busy, account } };
  });

interface PlainTrip {
  readonly side: string;
  quantity: number;
  net: number;
  readonly opened_at: number;
  closed_at: number;
}

const timeOf = (event: AccountEvent): number => {
  if (event.type === 'entered') return event.trade.entryAt;
  return event.type === 'exited' ? event.closed.exit_at : Number.NaN;
};

/**
 * Adds up the fills of a backtest's account from flat to flat, by time, and those of one time as they were booked. An
 * account may hold both sides at once, as when a waiting stop fills. The books net them, so the results of its trades are
 * not those of the books: `net` is then no number.
 */
const plainTrips = ({ input, bars }: RandomBacktest): PlainTrip[] => {
  const run = startBacktest(input);
  const [leg] = run.legs;
  if (!leg) throw new Error('the backtest has no leg');
  leg.account.journal = [];
  advanceBacktest(run, bars);
  const trips: PlainTrip[] = [];
  const step = leg.account.settings.size_step;
  let held = 0;
  let isNetted = false;
  let trip: PlainTrip | undefined;
  const fills = leg.account.journal.filter(({ type }) => type === 'entered' || type === 'exited');
  for (const event of fills.sort((left, right) => timeOf(left) - timeOf(right))) {
    if (event.type !== 'entered' && event.type !== 'exited') continue;
    const at = timeOf(event);
    const isEntry = event.type === 'entered';
    let change = isEntry ? event.trade.side * event.steps : -event.trade.side * event.steps;
    // From here on, fills of the account and closes of the books are no longer the same.
    if (isEntry ? held * change < 0 : held * change >= 0) isNetted = true;
    if (trip && held * change < 0) {
      const closed = Math.min(Math.abs(held), Math.abs(change)) * Math.sign(change);
      held += closed;
      change -= closed;
      trip.net += isNetted || event.type === 'entered' ? Number.NaN : event.closed.pnl;
      trip.closed_at = at;
      if (held === 0) {
        trips.push(trip);
        trip = undefined;
      }
    }
    if (change === 0) continue;
    trip ??= {
      side: change > 0 ? 'long' : 'short',
      quantity: 0,
      net: isNetted ? Number.NaN : 0,
      opened_at: at,
      closed_at: Number.NaN,
    };
    trip.quantity += Math.abs(change) * step;
    held += change;
  }
  return trips;
};

/** Books reports as the hub does, and returns the trades of the ledger and the ledger. */
const bookAll = (reports: readonly AccountReport[], contractSize: number) => {
  const orders = new Map<string, Order>();
  const trades = new Map<number, Trade>();
  /** Numbers of trades that were closed, changed or removed. */
  const changes: number[] = [];
  let ledger = openLedger({
    started_at: new Date(Math.min(...reports.map(({ at }) => at))).toISOString(),
    starting_capital: 1e6,
    calendars: ['always'],
    market_time: true,
    symbols: [SYMBOL],
  });
  for (const { at, kind: _, ...report } of reports) {
    const occurred_at = new Date(at).toISOString();
    const booked =
      'charge_id' in report
        ? applySwapCharge(ledger, { ...report, occurred_at }, report.facts)
        : (() => {
            const known = orders.get(report.client_order_id);
            const update = orderUpdateSchema.parse({ ...report, occurred_at });
            const outcome = applyOrderUpdate(ledger, known, update, String(contractSize), report.facts);
            orders.set(report.client_order_id, outcome.order);
            return { ledger: outcome.ledger, effects: outcome };
          })();
    if (!booked) throw new Error('the charge was booked before');
    const { effects } = booked;
    ledger = booked.ledger;
    changes.push(...effects.trades.map(({ number }) => number), ...effects.removed_trades);
    for (const trade of effects.trades) trades.set(trade.number, trade);
    for (const number of effects.removed_trades) trades.delete(number);
  }
  return {
    ledger,
    changes,
    trades: [...trades].sort(([left], [right]) => left - right).map(([, trade]) => trade),
  };
};

test('fills are reported in the order of their times, so no trade of the ledger is corrected', () => {
  let trades = 0;
  fc.assert(
    fc.property(busyBacktests, (test) => {
      const { reports } = runPaper(test, WHOLE, false);
      if (reports.length === 0) return;
      const fills = reports.filter((report) => report.kind === 'order' && report.status === 'filled');
      const times = fills.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((left, right) => left - right));
      const { changes } = bookAll(reports, legOf(test).settings.contract_size);
      trades += changes.length;
      expect(changes).toEqual(changes.map((_, index) => index + 1));
    }),
    { numRuns },
  );
  expect(trades).toBeGreaterThan(0);
});

test('the trades of the ledger are those of the backtest from flat to flat, in any order of arrival', () => {
  let sameTime = 0;
  fc.assert(
    fc.property(busyBacktests, fc.array(fc.nat(20), { minLength: 1, maxLength: 40 }), (test, delays) => {
      const { reports } = runPaper(test, WHOLE, false);
      if (reports.length === 0) return;
      const { contract_size } = legOf(test).settings;
      const expected = plainTrips(test);
      const { ledger, trades } = bookAll(reports, contract_size);
      expect(
        trades.map(({ side, opened_at, closed_at }) => [side, Date.parse(opened_at), Date.parse(closed_at)]),
      ).toEqual(expected.map(({ side, opened_at, closed_at }) => [side, opened_at, closed_at]));
      for (const [index, { quantity, net, entry_value }] of trades.entries()) {
        near(Number(quantity), expected[index]?.quantity ?? Number.NaN, Number(quantity));
        const expectedNet = expected[index]?.net ?? 0;
        if (!Number.isNaN(expectedNet)) near(Number(net), expectedNet, 10 * Number(entry_value));
      }
      sameTime += expected.filter(
        ({ opened_at }, index) => expected[index - 1]?.closed_at === opened_at,
      ).length;
      const arrived = reports
        .map((report, index) => ({ report, place: index + (delays[index % delays.length] ?? 0) }))
        .sort((left, right) => left.place - right.place)
        .map(({ report }) => report);
      expect(bookAll(arrived, contract_size)).toMatchObject({ ledger, trades });
    }),
    { numRuns: soakable(15, 300) },
  );
  expect(sameTime).toBeGreaterThan(0);
});
