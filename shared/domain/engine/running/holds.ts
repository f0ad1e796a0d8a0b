import { timeAtClose } from '../account/account.ts';
import { cancelOrders, requestCloses } from '../account/decisions.ts';
import { fillCloses } from '../account/exits.ts';
import type { TradingPlan } from '../plan.ts';
import type { PaperAccount } from './paper-account.ts';
import { applyInput, markClosed, type NumberedInput, type PaperInput } from './paper-inputs.ts';
import {
  cancelSignals,
  type PaperSignal,
  type PaperWithdrawal,
  takeSignal,
  withdrawSignal,
} from './paper-signals.ts';

/** Commands that stop the accounts of a deployment, or let them go on. `stop` ends the deployment. */
export const HOLD_TYPES = ['pause', 'halt', 'stop', 'resume'] as const;

/** Command to all accounts of a deployment. Recorded, so that the same bars and commands give the same trades. */
interface PaperHold extends NumberedInput {
  readonly type: (typeof HOLD_TYPES)[number];
  /** True if all trades are closed. */
  readonly flatten: boolean;
}

/** Commands to an account, in the order of their numbers. */
export type PaperCommand = PaperHold | PaperSignal | PaperWithdrawal;

const CANCEL_REASONS = { pause: 'paused', halt: 'halted', stop: 'ended' } as const;

/** Drops the closes that were decided and not filled yet. */
const dropCloses = ({ account }: PaperAccount): void => {
  for (const trade of account.trades) trade.closing = 0;
  account.isClosing = false;
};

/** Closes all trades at the close of the last bar, with the costs of a market order. */
const flattenTrades = (paper: PaperAccount): void => {
  const { account } = paper;
  const { close } = account;
  requestCloses(account, 0, 1, 'flatten');
  fillCloses(account, { price: close, bar: account.bar - 1, at: timeAtClose(account), expected: close });
  markClosed(paper);
};

/** Applies a command after the account's last bar. */
const applyHold = (paper: PaperAccount, plan: TradingPlan, hold: PaperHold): void => {
  const { account } = paper;
  const { type, number } = hold;
  paper.holds = number;
  paper.isPaused = type !== 'resume';
  paper.isHalted = type === 'halt' || type === 'stop';
  account.isPaused = paper.isPaused;
  account.isHalted = paper.isHalted;
  if (type === 'resume') return;
  cancelOrders(account, plan, CANCEL_REASONS[type]);
  if (type === 'pause') return;
  cancelSignals(paper, CANCEL_REASONS[type]);
  if (hold.flatten && account.trades.length > 0) flattenTrades(paper);
  else dropCloses(paper);
};

/** Returns the first input or command that an account has not applied, by the bar after which it takes effect. */
export const nextDue = (
  paper: PaperAccount,
  inputs: readonly PaperInput[],
  holds: readonly PaperCommand[],
): PaperInput | PaperCommand | undefined => {
  const input = inputs.find(({ number }) => number > paper.inputs);
  const hold = holds.find(({ number }) => number > paper.holds);
  // The books have closed the trade of a manual close, so a command at the same bar finds it closed.
  return hold && (!input || hold.after < input.after) ? hold : input;
};

/** Applies an input or a command. Returns the id of the closing order of a manual close. */
export const applyDue = (
  paper: PaperAccount,
  plan: TradingPlan,
  due: PaperInput | PaperCommand,
): string | undefined => {
  switch (due.type) {
    case 'close':
      applyInput(paper, due);
      return due.client_order_id;
    case 'order':
      paper.holds = due.number;
      if (due.order) takeSignal(paper, due.order);
      return undefined;
    case 'withdraw':
      paper.holds = due.number;
      withdrawSignal(paper, due.client_order_id);
      return undefined;
    default:
      applyHold(paper, plan, due);
      return undefined;
  }
};
