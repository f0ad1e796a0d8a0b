import { timeAtClose } from '../account/account.ts';
import { closeManually } from '../account/exits.ts';
import { equityAt } from '../account/sizing.ts';
import type { PaperAccount } from './paper-account.ts';

/** Input of an account. */
export interface NumberedInput {
  /** Numbers of an account's inputs ascend; each is applied once. */
  readonly number: number;
  /** Start of the bar after which the input takes effect. */
  readonly after: number;
}

/** Decision of the owner. Recorded, so that the same bars and inputs give the same trades. */
export type PaperInput = NumberedInput & {
  readonly type: 'close';
  /** Order that opened the trade. */
  readonly order: string;
  /** Net price: a manual close has no commission. */
  readonly price: number;
  /** Id of the closing order. */
  readonly client_order_id: string;
};

/** Ends an account that has no equity left, or marks it. */
export const markClosed = ({ account }: PaperAccount): void => {
  if (account.trades.length > 0) account.equity = equityAt(account, account.close);
  else if (account.cash > 0) account.equity = account.cash;
  else {
    if (account.settings.entry_bar === 'next_bar') account.cash = 0;
    account.equity = account.cash;
    account.isRuined = true;
  }
};

/** Closes the trade that an order opened. Without effect if the trade is closed. */
const closeTrade = (paper: PaperAccount, order: string, price: number): void => {
  const { account, entryIds } = paper;
  const trade = account.trades.find((each) => entryIds.get(each) === order);
  if (!trade) return;
  closeManually(account, trade, { price, bar: account.bar - 1, at: timeAtClose(account), expected: price });
  markClosed(paper);
};

/** Applies an input after the account's last bar. */
export const applyInput = (paper: PaperAccount, input: PaperInput): void => {
  paper.inputs = input.number;
  closeTrade(paper, input.order, input.price);
};
