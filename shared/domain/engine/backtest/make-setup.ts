import type { Instrument } from '../../instruments/instrument-records.ts';
import type { AssetClass } from '../../instruments/instruments.ts';
import type { Timeframe } from '../../strategies/strategies.ts';
import { own } from '../../unknown-fields.ts';
import { canonicalRules } from '../rules/canonical.ts';
import { describe } from '../rules/describe.ts';
import type { ResolvedRules } from '../rules/params.ts';
import type { Rules } from '../rules/shape.ts';
import type { AccountInput } from './account-input.ts';
import type { BacktestSetup, BacktestSetupLeg } from './setup.ts';
import { accountOf, currencyOf, termsOf } from './terms.ts';

/** A symbol with its candles and its terms of trading. */
export interface SetupMarket {
  readonly symbol: string;
  /** Symbol of the stored series, if it is another one. */
  readonly stored_as?: string | undefined;
  /** Timeframe of the stored bars. */
  readonly source: Timeframe;
  readonly calendar: string;
  readonly asset_class: AssetClass;
  /** Timeframes of the smaller stored bars, smallest first; absent for a test without them. */
  readonly smaller?: readonly Timeframe[];
  /** Undefined for candles of a symbol that is not in the catalogue. */
  readonly instrument: Instrument | undefined;
  /** End of the closed bars. */
  readonly to: number;
}

/** All that a setup is made from. */
export interface SetupOrigin {
  readonly rules: Rules;
  /** The rules with the values of their parameters. */
  readonly resolved: ResolvedRules;
  /** Values of parameters that are not those of the rules. */
  readonly params: Readonly<Record<string, number>>;
  readonly timeframe: Timeframe;
  readonly markets: readonly SetupMarket[];
  /** Weights and direction of the strategy; undefined for rules without one. */
  readonly strategy:
    | {
        readonly legs: readonly { readonly symbol: string; readonly weight: number }[];
        readonly direction: BacktestSetupLeg['direction'];
      }
    | undefined;
  readonly account: AccountInput;
  /** Start of the first bar that may be evaluated; undefined: the first bar. */
  readonly from: number | undefined;
  readonly read_from: number;
}

/** Returns the share of the capital of each symbol: its weight in the strategy, else all the same. */
const sharesOf = ({ strategy, markets }: SetupOrigin): number[] => {
  const weights = markets.map(
    ({ symbol }) => strategy?.legs.find((leg) => leg.symbol === symbol)?.weight ?? 0,
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.every((weight) => weight > 0)
    ? weights.map((weight) => weight / sum)
    : markets.map(() => 1 / markets.length);
};

/** Returns the setup of rules, which decides their trades together with the candles. */
export const makeSetup = (origin: SetupOrigin): BacktestSetup => {
  const { rules, resolved, params, timeframe, markets, strategy, account, from, read_from } = origin;
  const shares = sharesOf(origin);
  return {
    rules: canonicalRules(rules),
    params: Object.fromEntries(
      Object.entries(rules.params).map(([name, declared]) => [name, own(params, name) ?? declared.default]),
    ),
    sentence: describe(resolved),
    timeframe,
    ...(from !== undefined && { from }),
    read_from,
    currency: currencyOf(markets[0]?.instrument),
    account: accountOf(account),
    legs: markets.map(
      ({ symbol, stored_as, source, calendar, to, asset_class, smaller = [], instrument }, index) => ({
        symbol,
        ...(stored_as !== undefined && { stored_as }),
        share: shares[index] ?? 0,
        source,
        calendar,
        to,
        asset_class,
        ...(smaller.length > 0 && account.entry_bar === 'worst' && { smaller: [...smaller] }),
        ...termsOf(instrument, account, strategy?.direction ?? 'both'),
      }),
    ),
  };
};
