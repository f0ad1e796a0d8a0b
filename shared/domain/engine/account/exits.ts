import {
  type Account,
  type ClosedTrade,
  type ExitReason,
  expose,
  nameOfSide,
  type OpenTrade,
} from './account.ts';
import { excursionsOf } from './excursions.ts';
import { movedPrice } from './moved-price.ts';
import { commissionOf } from './sizing.ts';

/** Price and bar of market fills. */
export interface MarketFill {
  readonly price: number;
  readonly bar: number;
  readonly at: number;
  /** Price that the decision or the order named, to which slippage is compared. */
  readonly expected: number;
  /** Fee that a broker charged; computed without it. */
  readonly fee?: number;
}

const PERCENT = 100;

/** Closes steps of a trade at a price. The caller takes a trade without steps out of the list. */
export const closeSteps = (
  account: Account,
  trade: OpenTrade,
  steps: number,
  { price, bar, at: exitAt, expected, fee }: MarketFill,
  reason: ExitReason,
): void => {
  const { settings } = account;
  const quantity = steps * settings.size_step;
  const part = steps / trade.steps;
  const entryFee = trade.entryFee * part;
  const swap = trade.swap * part;
  // The owner's price of a manual close is net.
  const exitFee = fee ?? (reason === 'manual' ? 0 : commissionOf(settings, quantity, price));
  const gross = trade.side * (quantity * settings.contract_size) * (price - trade.entryPrice);
  account.cash += gross - exitFee;
  account.liquidatedBelow = Number.POSITIVE_INFINITY;
  trade.steps -= steps;
  trade.entryFee -= entryFee;
  trade.swap -= swap;
  trade.closing = 0;
  const fees = entryFee + exitFee;
  const pnl = gross - fees + swap;
  const value = Math.abs(trade.entryPrice) * quantity * settings.contract_size;
  const closed: ClosedTrade = {
    side: nameOfSide(trade.side),
    quantity,
    entry_bar: trade.entryBar,
    entry_at: trade.entryAt,
    entry_price: trade.entryPrice,
    exit_bar: bar,
    exit_at: exitAt,
    exit_price: price,
    exit_reason: reason,
    stop: trade.stop,
    target: trade.target,
    pnl,
    fees,
    swap,
    return_pct: value === 0 ? 0 : (pnl / value) * PERCENT,
    ...excursionsOf(trade, price),
  };
  account.closed.push(closed);
  account.journal?.push({ type: 'exited', trade, steps, fee: exitFee, expected, closed });
  account.exitBar = bar;
  account.filledAt = exitAt;
  expose(account, bar);
};

/** Takes closed trades out of the list, in place. */
export const dropClosed = ({ trades }: Account): void => {
  let kept = 0;
  for (const trade of trades) {
    if (trade.steps > 0) {
      trades[kept] = trade;
      kept += 1;
    }
  }
  trades.length = kept;
};

/** Closes all open trades at once. */
export const closeAll = (account: Account, fill: MarketFill, reason: ExitReason): void => {
  for (const trade of account.trades) closeSteps(account, trade, trade.steps, fill, reason);
  account.trades.length = 0;
  account.isClosing = false;
};

/** Closes one trade at once, at the owner's request. */
export const closeManually = (account: Account, trade: OpenTrade, fill: MarketFill): void => {
  closeSteps(account, trade, trade.steps, fill, 'manual');
  dropClosed(account);
  account.isClosing = account.trades.some(({ closing }) => closing > 0);
};

/** Fills the closes that were requested. */
export const fillCloses = (account: Account, market: MarketFill): void => {
  const { slippage_rate } = account.settings;
  for (const trade of account.trades) {
    if (trade.closing === 0) continue;
    const price = movedPrice(market.price, -trade.side, slippage_rate);
    closeSteps(account, trade, trade.closing, { ...market, price }, trade.closingReason);
  }
  dropClosed(account);
  account.isClosing = false;
};
