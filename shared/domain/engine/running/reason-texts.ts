import type { CancelReason, ExitReason } from '../account/account.ts';

const CANCEL_TEXTS: Readonly<Record<CancelReason, string>> = {
  expired: 'the order was not filled within its bars',
  too_small: 'the size is below the smallest quantity',
  insufficient_funds: 'the account cannot pay for the order',
  square_off: 'the session ends',
  opposite_trade: 'a trade of the other side is open',
  protected: 'exits of the trade rest at the broker, which takes no second order then',
  signal: 'a later signal closes the position',
  paused: 'the deployment is paused',
  halted: 'the deployment is halted',
  risk_limit: 'a risk limit refuses it',
  flatten: 'all positions are closed',
  ended: 'the deployment has ended',
  late: 'the bar or the alert is too old for an order',
  broker: 'the broker ended the order',
  direction: 'the instrument is not traded on this side',
  no_position: 'no position is open against it',
  split: 'the units of the symbol changed before it could fill',
  unpriced: 'no price arrived in time',
  ruin: 'the account has no equity left',
};

const EXIT_TEXTS: Readonly<Record<ExitReason, string>> = {
  exit: 'exit of the rules',
  reverse: 'reversed',
  stop_loss: 'stop loss',
  take_profit: 'take profit',
  trailing_stop: 'trailing stop',
  square_off: 'end of the session',
  end_of_data: 'end of the data',
  manual: 'closed manually',
  flatten: 'all positions are closed',
  split: 'the part that makes no whole step after the split',
  liquidated: 'liquidated: equity met the maintenance of the position',
  ruin: 'no equity left',
  unprotected: 'closed at once: its stop could not rest at the broker',
};

/** Writes why an order ended without a fill. */
export const cancelText = (reason: CancelReason): string => CANCEL_TEXTS[reason];
/** Writes why a trade ended. */
export const exitText = (reason: ExitReason): string => EXIT_TEXTS[reason];
