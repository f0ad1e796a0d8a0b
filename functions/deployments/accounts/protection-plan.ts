import {
  type ExitCapabilities,
  exitCapabilities,
} from '../../../shared/channels/execution/exit-capabilities.ts';
import type { AdapterName } from '../../../shared/domain/deployments/event-source.ts';
import type { BacktestSetup, BacktestSetupLeg } from '../../../shared/domain/engine/backtest/setup.ts';
import { storedRules } from '../../../shared/domain/engine/backtest/stored-rules.ts';
import type { ResolvedRules } from '../../../shared/domain/engine/rules/params.ts';
import { fromDouble } from '../../../shared/domain/money.ts';
import { ADAPTER_FACTS } from '../../../shared/domain/orders/execution-adapters.ts';
import type { UNPROTECTED_CHOICES } from '../../../shared/domain/orders/protection-terms.ts';
import { entersOutsideOnly } from './session-entries.ts';

/** Choices of the owner about positions that a broker cannot protect. */
export interface ProtectionChoices {
  /** `accept`: fractions of shares are traded, though no stop stands overnight. */
  readonly fractions: 'accept' | undefined;
  /** Position whose stop the broker refuses. */
  readonly unprotected: (typeof UNPROTECTED_CHOICES)[number];
}

/** Levels that the entries of rules set: all of them, some or none. */
type Extent = 'all' | 'some' | 'none';

/** Levels of the trades of a symbol, and what its broker keeps of them. */
export interface SymbolPlan {
  readonly symbol: string;
  readonly isFraction: boolean;
  readonly exits: ExitCapabilities;
  readonly stop: Extent;
  readonly target: Extent;
  readonly trails: boolean;
  /** True if an entry sells short, which the broker refuses. */
  readonly hasRefusedShorts: boolean;
  /** True if the rules enter at times only at which no stop works. */
  readonly entersOutside: boolean;
}

/** Protection of the trades of a deployment with real orders. */
export interface ProtectionPlan {
  readonly symbols: readonly SymbolPlan[];
  readonly unprotected: ProtectionChoices['unprotected'];
  /** Sentences for which it is not deployed; empty if it can be. */
  readonly refusals: readonly string[];
}

const isWhole = (step: number): boolean => Number.isInteger(step);

const isShare = ({ asset_class }: BacktestSetupLeg): boolean => asset_class === 'equity';

/** Returns a setup that trades whole shares, unless the owner accepts fractions or has named a step. */
export const inWholeShares = (
  setup: BacktestSetup,
  { fractions }: ProtectionChoices,
  hasStep: boolean,
): BacktestSetup => {
  if (fractions === 'accept' || hasStep) return setup;
  const inWhole = (leg: BacktestSetupLeg) =>
    isShare(leg) && !isWhole(leg.size_step) ? { ...leg, size_step: Math.ceil(leg.size_step) } : leg;
  return { ...setup, legs: setup.legs.map(inWhole) };
};

const extentOf = (
  entries: ResolvedRules['entries'],
  has: (entry: ResolvedRules['entries'][number]) => boolean,
) => {
  const count = entries.filter(has).length;
  if (count === 0) return 'none';
  return count === entries.length ? 'all' : 'some';
};

const planSymbol = (
  adapter: AdapterName,
  setup: BacktestSetup,
  leg: BacktestSetupLeg,
  { entries, session }: ResolvedRules,
): SymbolPlan => ({
  symbol: leg.symbol,
  isFraction: isShare(leg) && !isWhole(leg.size_step),
  exits: exitCapabilities(adapter, { assetClass: leg.asset_class, quantity: fromDouble(leg.size_step) }),
  stop: extentOf(entries, ({ stop_loss, trailing_stop }) => Boolean(stop_loss ?? trailing_stop)),
  target: extentOf(entries, ({ take_profit }) => take_profit !== undefined),
  trails: entries.some(({ trailing_stop }) => trailing_stop !== undefined),
  hasRefusedShorts:
    leg.direction !== 'long' && ADAPTER_FACTS[adapter].isSpot && entries.some(({ side }) => side === 'short'),
  entersOutside: isShare(leg) && entersOutsideOnly(setup, leg.calendar, session?.entries),
});

const refusalsOf = (
  { symbol, isFraction, exits, stop, target, entersOutside }: SymbolPlan,
  { pyramid, max_trades }: ResolvedRules,
  { fractions }: ProtectionChoices,
): string[] => {
  const adds = pyramid && max_trades > 1;
  const hasLevels = stop !== 'none' || target !== 'none';
  return [
    ...(adds && exits.isExclusive
      ? [
          `The rules add to an open trade in ${symbol}, but an exit that rests at the broker makes a second entry impossible. Let the rules hold one trade at a time, or deploy on paper.`,
        ]
      : []),
    ...(isFraction && fractions !== 'accept'
      ? [
          `Fractions of ${symbol} have a stop during the session only: none stands overnight. Trade whole shares with a size_step of 1, or accept it with fractions=accept.`,
        ]
      : []),
    ...(entersOutside
      ? [
          `The rules enter ${symbol} outside of the session only: orders wait for the next one, and no stop works until then. Choose times of entries within the session.`,
        ]
      : []),
    ...(hasLevels && exits.kind === 'none'
      ? [`The broker keeps no stop and no target for ${symbol}. Choose another account, or deploy on paper.`]
      : []),
  ];
};

/** Returns what protects the trades of a setup at the broker of an adapter, and what keeps it from being deployed. */
export const protectionPlan = (
  adapter: AdapterName,
  setup: BacktestSetup,
  choices: ProtectionChoices,
): ProtectionPlan => {
  const rules = storedRules(setup);
  const symbols = setup.legs.map((leg) => planSymbol(adapter, setup, leg, rules));
  return {
    symbols,
    unprotected: choices.unprotected,
    refusals: symbols.flatMap((plan) => refusalsOf(plan, rules, choices)),
  };
};
