import fc from 'fast-check';
import {
  type BarColumns,
  barCount,
  firstBarFrom,
  sliceBars,
} from '../../../../../shared/domain/candles/bars.ts';
import { calendarById } from '../../../../../shared/domain/candles/calendar.ts';
import { type AccountSettings, plainSettings } from '../../../../../shared/domain/engine/account/settings.ts';
import { advanceBacktest } from '../../../../../shared/domain/engine/backtest/advance.ts';
import { startBacktest } from '../../../../../shared/domain/engine/backtest/run.ts';
import { marketTimeOf } from '../../../../../shared/domain/engine/market-time.ts';
import type { ResolvedRules } from '../../../../../shared/domain/engine/rules/params.ts';
import type { FillReport } from '../../../../../shared/domain/engine/running/fill-reports.ts';
import { type Frames, observeBars } from '../../../../../shared/domain/engine/running/frames.ts';
import {
  hasWorkingOrders,
  openRealAccount,
} from '../../../../../shared/domain/engine/running/real-account.ts';
import type { RealRequest } from '../../../../../shared/domain/engine/running/real-requests.ts';
import { startProgram } from '../../../../../shared/domain/engine/running/running-program.ts';
import {
  type RandomBacktest,
  randomBacktests,
  tradingBacktest,
} from '../../../../support/random-backtests.ts';
import { barsOf } from '../../../../support/random-bars.ts';
import { fillIdeally, RealRun } from '../../../../support/real-broker.ts';
import { plainRules } from '../../../../support/rules.ts';
import { soakable } from '../../../../support/soak.ts';

/**
 * Keeps what a broker can fill as a backtest does: market orders at the signal's close, whose size depends on nothing
 * later. Stops, targets, and limit and stop entries fill within a bar in backtests.
 */
const atCloses = ({ rules }: { readonly rules: ResolvedRules }): ResolvedRules => {
  const { session, ...others } = rules;
  const { square_off: _, ...open } = session ?? {};
  return {
    ...others,
    pyramid: false,
    entries: rules.entries.map(({ side, when, size }) => ({
      side,
      when,
      size: size.type === 'risk_percent' ? { type: 'equity_percent', percent: 50 } : size,
    })),
    ...(session && { session: { ...open, weekdays: session.weekdays } }),
  };
};

const idealOf = (test: RandomBacktest): RandomBacktest => ({
  ...test,
  input: {
    ...test.input,
    rules: atCloses(test.input),
    account: {
      ...test.input.account,
      slippage_rate: 0,
      // Backtests liquidate within a bar; a broker does so by itself, and reports it.
      maintenance: 0,
      fill_at: 'signal_close',
      close_at_end: 'mark',
    },
    legs: test.input.legs.map(({ swap: _, ...leg }) => leg),
  },
});

const settingsOf = ({ input: { account, legs } }: RandomBacktest): AccountSettings => {
  const [leg] = legs;
  if (!leg) throw new Error('the backtest has no leg');
  const { size_step, contract_size, direction } = leg;
  return { ...account, size_step, contract_size, direction };
};

const begin = ({ input, bars: [bars] }: RandomBacktest, settings: AccountSettings) => {
  const [leg] = input.legs;
  if (!leg || !bars) throw new Error('the backtest has no leg');
  const live = startProgram(input.rules, input.timeframe, leg.time);
  const from = input.from === undefined ? 0 : firstBarFrom(bars, input.from);
  if (from > 0) observeBars(live, sliceBars(bars, 0, from));
  const cursor = { at: bars.start[from - 1] ?? Number.NaN, index: live.index };
  const own = openRealAccount(settings, live.program.trading, 'S0', cursor);
  return { run: new RealRun(live, own), bars, from };
};

test('with a broker that fills market orders whole at the close, the trades are those of the backtest', () => {
  let trades = 0;
  fc.assert(
    fc.property(randomBacktests(1, 150), (random) => {
      const ideal = idealOf(random);
      const { run, bars, from } = begin(ideal, settingsOf(ideal));
      const backtest = startBacktest(ideal.input);
      for (let at = 0; at < barCount(bars); at += 1) {
        const slice = sliceBars(bars, at, at + 1);
        advanceBacktest(backtest, [slice]);
        if (at < from) continue;
        // A backtest ends without equity; a live account closes, and what the broker fills is a fact.
        if (backtest.legs[0]?.account.isRuined) return;
        const frames = observeBars(run.live, slice);
        fillIdeally(run, frames, run.advance(frames));
      }
      const expected = backtest.legs[0]?.account;
      const { account } = run.own.paper;
      // Fills at the last close are booked with the next bar in a backtest.
      if (!expected || expected.orders.length > 0 || expected.isClosing) return;
      expect(account.trades.map(({ side, steps, entryBar }) => [side, steps, entryBar])).toEqual(
        expected.trades.map(({ side, steps, entryBar }) => [side, steps, entryBar]),
      );
      expect(Math.abs(account.cash - expected.cash)).toBeLessThanOrEqual(
        1e-9 * (1 + Math.abs(expected.cash)),
      );
      expect(hasWorkingOrders(run.own)).toBe(false);
      trades += backtest.trades_count;
    }),
    { numRuns: soakable(20, 800), examples: [[tradingBacktest()]] },
  );
  expect(trades).toBeGreaterThan(0);
});

/** Next step of a broker with an order. */
const moves = fc.constantFrom('fill', 'fill', 'part', 'part', 'hold', 'reject', 'unknown', 'end', 'lose');

interface Placed {
  readonly request: Extract<RealRequest, { readonly kind: 'entry' | 'close' }>;
  filled: number;
  value: number;
  isCancelled: boolean;
  isOver: boolean;
  /** True if the request never reached the broker. */
  isLost: boolean;
}

/** A broker that does anything that brokers do, and a plain book of what it filled. */
class WildBroker {
  readonly orders = new Map<string, Placed>();
  position = 0;

  take(requests: readonly RealRequest[]): void {
    for (const request of requests) {
      if (request.kind === 'dropped' || request.kind === 'protect') continue;
      const known = this.orders.get(request.client_order_id);
      if (request.kind === 'cancel') {
        if (known) known.isCancelled = true;
        continue;
      }
      expect(known).toBeUndefined();
      this.orders.set(request.client_order_id, {
        request,
        filled: 0,
        value: 0,
        isCancelled: false,
        isOver: false,
        isLost: false,
      });
    }
  }

  move(placed: Placed, move: string, price: number): FillReport | undefined {
    const { request } = placed;
    const total = Number(request.quantity);
    const reportOf = (status: FillReport['status']): FillReport => ({
      client_order_id: request.client_order_id,
      status,
      filled_quantity: String(placed.filled),
      average_price: placed.filled === 0 ? null : String(placed.value / placed.filled),
      fees: String(placed.filled * 0.01),
    });
    const fill = (quantity: number) => {
      placed.filled += quantity;
      placed.value += quantity * price;
      this.position += (request.side === 'buy' ? 1 : -1) * quantity;
    };
    if (placed.isLost && move !== 'end') return undefined;
    switch (move) {
      case 'lose':
        placed.isLost = placed.filled === 0;
        return undefined;
      case 'fill':
        fill(total - placed.filled);
        placed.isOver = true;
        return reportOf('filled');
      case 'part': {
        const quantity = Math.floor((total - placed.filled) / 2);
        if (quantity === 0) return reportOf('open');
        fill(quantity);
        return reportOf('partially_filled');
      }
      case 'reject':
        if (placed.filled > 0) return undefined;
        placed.isOver = true;
        return reportOf('rejected');
      case 'unknown':
        return reportOf('unknown');
      case 'end':
        if (!placed.isCancelled) return undefined;
        placed.isOver = true;
        return reportOf('cancelled');
      default:
        return undefined;
    }
  }

  get working(): Placed[] {
    return [...this.orders.values()].filter(({ isOver }) => !isOver);
  }
}

const above = { left: { price: 'close' }, op: 'gt', right: { price: 'close', ago: 1 } };
const below = { left: { price: 'close' }, op: 'lt', right: { price: 'close', ago: 1 } };
const percent = (value: number) => ({ type: 'percent', percent: value });

/** Rules that trade on most bars, with every kind of order, stop and exit. */
const tradingRules = fc
  .record({
    kind: fc.constantFrom(
      {},
      {},
      { limit: { percent: -0.5 }, valid_bars: 2 },
      { stop: { percent: 0.5 }, valid_bars: 1 },
    ),
    size: fc.constantFrom({ type: 'equity_percent', percent: 50 }, { type: 'units', units: 9 }),
    guards: fc.constantFrom(
      {},
      { stop_loss: percent(1), take_profit: percent(1) },
      { trailing_stop: percent(1) },
    ),
    exits: fc.constantFrom([], [{ side: 'long', when: { bars_in_trade: 2 }, portion: 0.5 }]),
    reverse: fc.boolean(),
  })
  .map(({ kind, size, guards, exits, reverse }) =>
    plainRules({
      schema: 'hub.rules/1',
      entries: [
        { side: 'long', when: above, size, ...kind, ...guards },
        { side: 'short', when: below, size, ...guards },
      ],
      exits,
      reverse,
    }),
  );

const steps = fc.array(
  fc.record({
    bars: fc.integer({ min: 1, max: 3 }),
    moves: fc.array(fc.tuple(fc.nat(7), moves), { maxLength: 6 }),
    command: fc.option(fc.constantFrom('active', 'paused', 'halted', 'flatten', 'stale'), {
      freq: 3,
      nil: undefined,
    }),
  }),
  { minLength: 5, maxLength: 30 },
);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Checks what must hold after every step. */
const check = (run: RealRun, broker: WildBroker): void => {
  const { trades } = run.own.paper.account;
  expect(sum(trades.map(({ side, steps: held }) => side * held))).toBeCloseTo(broker.position, 6);
  // Working closes never exceed what is held, whatever fills.
  for (const sign of [1, -1] as const) {
    const held = sum(trades.filter(({ side }) => side === sign).map(({ steps: each }) => each));
    const closing = broker.working.filter(
      ({ request }) => request.kind === 'close' && (request.side === 'sell') === (sign === 1),
    );
    expect(sum(closing.map(({ request, filled }) => Number(request.quantity) - filled))).toBeLessThanOrEqual(
      held + 1e-9,
    );
  }
};

test('whatever a broker does, trades are what it filled, nothing is closed twice, and no entry leaves while stopped', () => {
  let filled = 0;
  fc.assert(
    fc.property(tradingRules, barsOf('1d', 90), steps, (rules, bars, script) => {
      const live = startProgram(rules, '1d', marketTimeOf(calendarById('always')));
      const cursor = { at: Number.NaN, index: 0 };
      const own = openRealAccount(plainSettings(10_000), live.program.trading, 'X', cursor);
      const run = new RealRun(live, own);
      const broker = new WildBroker();
      let at = 0;
      let frames: Frames;
      const take = (requests: readonly RealRequest[]): void => {
        const isStopped = run.state !== 'active' || run.flatten;
        for (const request of requests) {
          if (request.kind === 'entry') {
            expect(isStopped).toBe(false);
            expect(run.own.paper.at).toBeGreaterThanOrEqual(run.freshFrom);
            const others = broker.working.filter(({ request: { kind } }) => kind === 'entry');
            expect(others).toEqual([]);
          }
          if (request.kind === 'close' && !request.flatten) {
            expect(['active', 'paused']).toContain(run.state);
            expect(run.own.paper.at).toBeGreaterThanOrEqual(run.freshFrom);
          }
        }
        broker.take(requests);
        check(run, broker);
      };
      const given: BarColumns = bars;
      for (const { bars: count, moves: played, command } of script) {
        if (at >= barCount(given)) break;
        const slice = sliceBars(given, at, at + count);
        at += barCount(slice);
        run.freshFrom = (slice.start.at(-1) ?? 0) + (command === 'stale' ? 1 : 0);
        if (command && command !== 'stale') {
          run.state = command === 'flatten' ? 'halted' : command;
          run.flatten = command === 'flatten';
        }
        frames = observeBars(live, slice);
        take(run.advance(frames));
        for (const [index, move] of played) {
          const placed = broker.working[index % Math.max(1, broker.working.length)];
          const report = placed && broker.move(placed, move, run.own.paper.account.close);
          if (report) take(run.report(frames, report));
        }
      }
      // With a broker that works again, flattening leaves nothing once lost orders are known to be lost.
      run.state = 'ended';
      run.flatten = true;
      const last = at + 7;
      for (; at < last; at += 1) {
        const slice = sliceBars(given, at, at + 1);
        if (barCount(slice) === 0) break;
        run.freshFrom = slice.start[0] ?? 0;
        frames = observeBars(live, slice);
        take(run.advance(frames));
        for (;;) {
          const answering = broker.working.filter(({ isLost, isCancelled }) => !isLost || isCancelled);
          if (answering.length === 0) break;
          for (const placed of answering) {
            const move = placed.isCancelled ? 'end' : 'fill';
            const report = broker.move(placed, move, run.own.paper.account.close);
            if (report) take(run.report(frames, report));
          }
        }
      }
      if (at === last) {
        expect(broker.position).toBe(0);
        expect(run.own.paper.account.trades).toEqual([]);
        expect(hasWorkingOrders(run.own)).toBe(false);
      }
      filled += sum([...broker.orders.values()].map((placed) => placed.filled));
    }),
    { numRuns: soakable(60, 2000) },
  );
  expect(filled).toBeGreaterThan(0);
});
