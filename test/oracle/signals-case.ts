import { type BarColumns, barAt, barCount } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { type Account, openAccount } from '../../shared/domain/engine/account/account.ts';
import { plainSettings } from '../../shared/domain/engine/account/settings.ts';
import { trade } from '../../shared/domain/engine/account/trade.ts';
import { compile } from '../../shared/domain/engine/compile.ts';
import { marketTimeOf } from '../../shared/domain/engine/market-time.ts';
import { ANY_SIGNAL, EVALUATED } from '../../shared/domain/engine/observation.ts';
import { resolveParams } from '../../shared/domain/engine/rules/params.ts';
import { rulesSchema } from '../../shared/domain/engine/rules/schema.ts';
import { type SignalsCase, timeframeOf } from './cases.ts';
import { Differences } from './compare.ts';

const PERCENT = 100;
const NEVER = { left: 0, op: 'gt', right: 1 };

const percent = (part: number) => ({ type: 'percent', percent: part * PERCENT });

/** Returns rules whose four conditions the case's signals replace: entries long and short, exits long and short. */
const rulesOf = ({ settings }: SignalsCase) => {
  const [stop, target] = settings.bracket ?? [];
  const sides = ['long', 'short'] as const;
  const rules = rulesSchema.parse({
    schema: 'hub.rules/1',
    entries: sides.map((side) => ({
      side,
      when: NEVER,
      size: { type: 'units', units: settings.units },
      ...(stop !== undefined && { stop_loss: percent(stop) }),
      ...(target !== undefined && { take_profit: percent(target) }),
      ...(settings.stop_trail !== undefined && { trailing_stop: percent(settings.stop_trail) }),
    })),
    exits: sides.map((side) => ({ side, when: NEVER })),
  });
  const resolved = resolveParams(rules);
  if (!('rules' in resolved)) throw new Error('the rules have parameters');
  return resolved.rules;
};

/** Returns the signals of each bar: entry long, entry short, exit long, exit short. */
const signalsByBar = ({ signals }: SignalsCase): Map<number, readonly number[]> => {
  const byBar = new Map<number, number[]>();
  for (const [first, list] of [
    [0, signals.entry],
    [2, signals.exit],
  ] as const) {
    for (const [bar, side] of list) {
      const values = byBar.get(bar) ?? [0, 0, 0, 0];
      values[side === 1 ? first : first + 1] = 1;
      byBar.set(bar, values);
    }
  }
  return byBar;
};

const NONE = [0, 0, 0, 0] as const;

type FillRow = readonly [bar: number, side: string, size: number, price: number];

const inOrder = (rows: readonly FillRow[]): FillRow[] =>
  rows.toSorted((left, right) => left[0] - right[0] || (left[1] < right[1] ? -1 : 1));

const otherSide = (side: 'long' | 'short'): string => (side === 'long' ? 'sell' : 'buy');

const fillsOf = (account: Account): FillRow[] => [
  ...account.closed.flatMap(({ side, quantity, entry_bar, entry_price, exit_bar, exit_price }): FillRow[] => [
    [entry_bar, otherSide(side === 'long' ? 'short' : 'long'), quantity, entry_price],
    [exit_bar, otherSide(side), quantity, exit_price],
  ]),
  ...account.trades.map(
    ({ side, steps, entryBar, entryPrice }): FillRow => [
      entryBar,
      side === 1 ? 'buy' : 'sell',
      steps,
      entryPrice,
    ],
  ),
];

const compareFills = (differences: Differences, account: Account, { expected }: SignalsCase): void => {
  const want = inOrder(
    expected.orders
      .filter(({ status }) => status === 'Completed')
      .map(({ bar, side, size, price }): FillRow => [bar ?? -1, side, Math.abs(size), price ?? Number.NaN]),
  );
  const have = inOrder(fillsOf(account));
  differences.same('fills', have.length, want.length);
  for (const [index, [bar, side, size, price]] of want.entries()) {
    const fill = have[index];
    if (!fill) return;
    differences.same(`fill ${index}`, `${fill[0]} ${fill[1]} ${fill[2]}`, `${bar} ${side} ${size}`);
    differences.close(`price of fill ${index}`, fill[3], price, 1e-9);
  }
};

const compareTrades = (differences: Differences, account: Account, { expected }: SignalsCase): void => {
  differences.same('trades', account.closed.length, expected.trades.length);
  for (const [index, want] of expected.trades.entries()) {
    const have = account.closed[index];
    if (!have) return;
    differences.same(`trade ${index} side`, have.side, want.side);
    differences.same(`trade ${index} entry bar`, have.entry_bar, want.entry_bar);
    differences.same(`trade ${index} exit bar`, have.exit_bar, want.exit_bar);
    differences.close(`trade ${index} entry price`, have.entry_price, want.entry_price, 1e-9);
    differences.close(`trade ${index} pnl`, have.pnl, want.pnl_net, 1e-6);
  }
};

/** Runs a case of backtrader: gives its signals to an account. Returns the differences. */
export const checkSignalsCase = (test: SignalsCase, bars: BarColumns): string[] => {
  const program = compile(
    rulesOf(test),
    timeframeOf(test.candles.file),
    marketTimeOf(calendarById('always')),
  );
  const account = openAccount(
    {
      ...plainSettings(test.account.cash),
      commission_rate: test.account.commission,
      stop_basis: 'signal_close',
      entry_bar: 'next_bar',
    },
    0,
  );
  const signals = signalsByBar(test);
  const observation = new Float64Array(program.observationSize);
  let peak = test.account.cash;
  let drawdown = 0;
  for (let index = 0; index < barCount(bars); index += 1) {
    const bar = barAt(bars, index);
    if (!bar) break;
    observation[EVALUATED] = 1;
    observation[ANY_SIGNAL] = 1;
    observation.set(signals.get(index) ?? NONE, observation.length - NONE.length);
    const { start, open, high, low, close, volume } = bar;
    trade(program.trading, account, Float64Array.of(start, open, high, low, close, volume), observation);
    peak = Math.max(peak, account.equity);
    drawdown = Math.max(drawdown, (peak - account.equity) / peak);
  }
  const differences = new Differences();
  const { expected } = test;
  differences.close('final value', account.equity, expected.final_value, 1e-9);
  differences.close('largest drawdown', drawdown * PERCENT, expected.max_drawdown_pct, 1e-6);
  const open = account.trades.reduce((sum, { steps, side }) => sum + steps * side, 0);
  differences.same('open position', open, expected.open_position);
  compareTrades(differences, account, test);
  compareFills(differences, account, test);
  return differences.list;
};
