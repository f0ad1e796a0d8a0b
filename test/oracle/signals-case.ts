import { type BarColumns, barAt, barCount } from '../../shared/domain/candles/bars.ts';
import { calendarById } from '../../shared/domain/candles/calendar.ts';
import { openAccount } from '../../shared/domain/engine/account/account.ts';
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

/** Returns rules whose two conditions the case's signals replace. */
const rulesOf = ({ settings }: SignalsCase) => {
  const [stop, target] = settings.bracket ?? [];
  const rules = rulesSchema.parse({
    schema: 'hub.rules/1',
    entries: [
      {
        side: 'long',
        when: NEVER,
        size: { type: 'units', units: settings.units },
        ...(stop !== undefined && { stop_loss: percent(stop) }),
        ...(target !== undefined && { take_profit: percent(target) }),
        ...(settings.stop_trail !== undefined && { trailing_stop: percent(settings.stop_trail) }),
      },
    ],
    exits: [{ side: 'long', when: NEVER }],
  });
  const resolved = resolveParams(rules);
  if (!('rules' in resolved)) throw new Error('the rules have parameters');
  return resolved.rules;
};

const barsOf = (signals: readonly (readonly [number, number])[]): ReadonlySet<number> =>
  new Set(signals.filter(([, value]) => value > 0).map(([bar]) => bar));

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
    },
    0,
  );
  const entries = barsOf(test.signals.entry);
  const exits = barsOf(test.signals.exit);
  const observation = new Float64Array(program.observationSize);
  const entrySlot = observation.length - 2;
  let peak = test.account.cash;
  let drawdown = 0;
  for (let index = 0; index < barCount(bars); index += 1) {
    const bar = barAt(bars, index);
    if (!bar) break;
    observation[EVALUATED] = 1;
    observation[ANY_SIGNAL] = 1;
    observation[entrySlot] = entries.has(index) ? 1 : 0;
    observation[entrySlot + 1] = exits.has(index) ? 1 : 0;
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
  const closed = expected.trades.filter(({ exit_bar }) => exit_bar >= 0);
  differences.same('trades', account.closed.length, closed.length);
  for (const [index, want] of closed.entries()) {
    const have = account.closed[index];
    if (!have) break;
    differences.same(`trade ${index} entry bar`, have.entry_bar, want.entry_bar);
    differences.same(`trade ${index} exit bar`, have.exit_bar, want.exit_bar);
    differences.close(`trade ${index} entry price`, have.entry_price, want.entry_price, 1e-9);
    differences.close(`trade ${index} pnl`, have.pnl, want.pnl_net, 1e-6);
  }
  return differences.list;
};
