import { HIGH, LOW, OPEN, START } from '../group.ts';
import { at } from '../memory.ts';
import type { Account } from './account.ts';
import { closeSteps } from './exits.ts';
import { movedPrice } from './moved-price.ts';
import { isWorse } from './within-bar.ts';

/** Part of a position's value that rounding may leave of nothing. */
const ROUNDING = 1e-9;

const computePrice = ({ trades, cash, settings }: Account): number => {
  const { maintenance, size_step, contract_size } = settings;
  let steps = 0;
  let value = 0;
  for (const trade of trades) {
    const signed = trade.side * trade.steps;
    steps += signed;
    value += signed * trade.entryPrice;
  }
  const lacking = value - cash / (size_step * contract_size);
  return lacking / (steps * (lacking > 0 ? 1 - maintenance : 1 + maintenance));
};

/** Computes the range of prices without a liquidation, by the open trades and the cash. */
const computeSafe = (account: Account): void => {
  const { settings, trades } = account;
  const [trade] = trades;
  const price = trade && settings.entry_bar === 'worst' ? computePrice(account) : Number.NaN;
  account.liquidatedBelow = trade?.side === 1 && !Number.isNaN(price) ? price : Number.NEGATIVE_INFINITY;
  account.liquidatedAbove = trade?.side === -1 && !Number.isNaN(price) ? price : Number.POSITIVE_INFINITY;
};

/**
 * Returns whether a bar reaches the price of the liquidation. The range is computed when trades or cash have changed,
 * which sets its lower end to infinity.
 */
export const reachesLiquidation = (account: Account, bar: Float64Array): boolean => {
  const low = at(bar, LOW);
  const high = at(bar, HIGH);
  if (low > account.liquidatedBelow && high < account.liquidatedAbove) return false;
  computeSafe(account);
  return low <= account.liquidatedBelow || high >= account.liquidatedAbove;
};

/**
 * Returns the price at which equity meets the maintenance of the open trades; infinite without any, or by the convention
 * that closes an account at the end of its bar.
 */
export const liquidationPrice = (account: Account): number => {
  if (account.liquidatedBelow === Number.POSITIVE_INFINITY) computeSafe(account);
  return account.trades[0]?.side === -1 ? account.liquidatedAbove : account.liquidatedBelow;
};

/** Closes all trades at the price of a liquidation. */
export const liquidate = (account: Account, bar: Float64Array, price: number, expected: number): void => {
  const { slippage_rate, size_step, contract_size } = account.settings;
  let value = 0;
  for (const trade of account.trades) {
    value += Math.abs(trade.entryPrice) * trade.steps * size_step * contract_size;
    const fill = {
      price: movedPrice(price, -trade.side, slippage_rate),
      bar: account.bar,
      at: at(bar, START),
      expected,
    };
    closeSteps(account, trade, trade.steps, fill, 'liquidated');
  }
  account.trades.length = 0;
  account.isClosing = false;
  if (Math.abs(account.cash) <= value * ROUNDING) account.cash = 0;
};

/** Liquidates an account if a bar reaches the price of it, whatever its stops and targets are. */
export const liquidateOnly = (account: Account, bar: Float64Array): void => {
  const [trade] = account.trades;
  if (!trade || !reachesLiquidation(account, bar)) return;
  const open = at(bar, OPEN);
  const price = liquidationPrice(account);
  liquidate(account, bar, isWorse(trade.side, open, price) ? open : price, price);
};
