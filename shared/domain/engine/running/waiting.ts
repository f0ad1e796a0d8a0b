import type { OpenTrade, PendingOrder } from '../account/account.ts';
import type { SignalOrder } from '../account/signal-order.ts';
import { shortened } from '../rules/describe.ts';
import { entryOf, quantityText } from './entry-orders.ts';
import type { ExplainedDecision, Explanation } from './explain.ts';
import type { PaperAccount } from './paper-account.ts';
import { cancelText } from './reason-texts.ts';
import { type ExplainedCondition, reasonText, shownValue } from './reasons.ts';
import type { RunningProgram } from './running-program.ts';

const MAX_LENGTH = 1000;

/** Returns the parts of a condition for which it does not hold. */
const failingParts = (condition: ExplainedCondition): string[] => {
  const { text, conditions, holds } = condition;
  if (holds) return [];
  if (conditions && (text === 'all of' || text === 'any of')) return conditions.flatMap(failingParts);
  return [reasonText(condition)];
};

/** Writes why a condition does not hold. */
const failureText = (condition: ExplainedCondition): string => {
  const parts = failingParts(condition);
  return `${parts.join(' and ')} ${parts.length === 1 ? 'does' : 'do'} not hold`;
};

const decisionText = ({ condition, blocked }: ExplainedDecision): string => {
  if (blocked === undefined) {
    return condition.holds ? `${reasonText(condition)} holds` : failureText(condition);
  }
  return condition.holds
    ? `${blocked}, though ${reasonText(condition)} holds`
    : `${blocked}, and ${failureText(condition)}`;
};

const decisionsText = (decisions: readonly ExplainedDecision[]): string =>
  decisions
    .map((decision) =>
      decisions.length === 1 ? decisionText(decision) : `${decision.side}: ${decisionText(decision)}`,
    )
    .join('; ');

const moment = (at: number): string => new Date(at).toISOString();

const tradeText = (
  trade: OpenTrade,
  { account: { settings, isReported } }: PaperAccount,
  { isModel }: { readonly isModel: boolean },
): string => {
  const { side, stop, target, steps, closing } = trade;
  const held = isModel ? 'a position' : quantityText(steps, settings);
  const short = side === 1 ? '' : ' short';
  const parts = [
    `holds ${held}${short} since ${moment(trade.entryAt)}`,
    ...(Number.isNaN(stop) ? [] : [`stop at ${shownValue(stop)}`]),
    ...(Number.isNaN(target) ? [] : [`target at ${shownValue(target)}`]),
    ...(closing > 0
      ? [
          `closes ${closing < steps ? 'a part of it' : 'it'} ${isReported ? 'at the broker' : 'at the next bar'}`,
        ]
      : []),
  ];
  return parts.join(', ');
};

const orderText = (
  running: RunningProgram,
  order: PendingOrder,
  { account: { isReported } }: PaperAccount,
): string => {
  const { kind, side } = entryOf(running.program.trading, order);
  const action = side === 1 ? 'buy' : 'sell short';
  if (isReported) {
    const price = kind === 'market' ? '' : ` at ${shownValue(order.price)}`;
    if (order.cancelling) return `waits for the broker to cancel its order to ${action}`;
    return `waits for the broker to fill its ${kind} order to ${action}${price}`;
  }
  return kind === 'market'
    ? `waits for the next bar to ${action} at the market`
    : `waits for the price of its ${kind} order to ${action} at ${shownValue(order.price)}`;
};

const signalText = ({ side, closes, quantity, from }: SignalOrder): string =>
  `waits for the first bar from ${moment(from)} on to ${closes ? 'close its position' : `${side === 1 ? 'buy' : 'sell'} ${quantity}`}`;

/**
 * Writes what a program, or an account of it, waits for after its last bar.
 *
 * @param options.isModel whether the account is the model account of a program, which has no quantities of its own.
 */
export const waitingText = (
  running: RunningProgram,
  { evaluated, entries, exits }: Explanation,
  paper: PaperAccount,
  { isModel = false } = {},
): string => {
  const { trades, orders, isRuined } = paper.account;
  if (isRuined) return `trades no more: ${cancelText('ruin')}`;
  if (!evaluated) return 'waits for bars: its indicators need more of them';
  const holding = trades.map((trade) => tradeText(trade, paper, { isModel }));
  const ends = exits.filter(
    ({ side, holds }) => !holds && trades.some((trade) => (trade.side === 1 ? 'long' : 'short') === side),
  );
  const texts = [
    ...holding,
    ...(ends.length > 0 ? [`no exit: ${decisionsText(ends)}`] : []),
    ...orders.map((order) => orderText(running, order, paper)),
    ...paper.signals.map(signalText),
  ];
  if (texts.length === 0) {
    texts.push(entries.length === 0 ? 'waits for a signal' : `waits for an entry: ${decisionsText(entries)}`);
  }
  return shortened(texts.join('; '), MAX_LENGTH);
};
