import type { Account, AccountEvent, OpenTrade } from '../account/account.ts';
import { type EntryBlock, entryBlock, oldestTrade } from '../account/decisions.ts';
import type { Direction } from '../plan.ts';
import { shortened } from '../rules/describe.ts';
import type { HeldTrade } from '../trade-values.ts';
import { entryOf, quantityText } from './entry-orders.ts';
import type { Frames } from './frames.ts';
import { cancelText, exitText } from './reason-texts.ts';
import { type BarView, memoryOf, reasonOf, shownValue } from './reasons.ts';
import type { RunningProgram } from './running-program.ts';

/** Something that an account decided, or that happened to it, in words for its owner. */
export interface Decision {
  /** Start of the bar. */
  readonly at: number;
  readonly text: string;
}

/** The close of a bar, as an account sees it. */
export interface Moment {
  readonly running: RunningProgram;
  readonly frames: Frames;
  readonly position: number;
  /** The account's counts of bars in a row. */
  readonly runs: Float64Array;
  /** Index of the bar, as the account counts. */
  readonly bar: number;
  /** Returns the account's oldest open trade of a side. */
  readonly held: (side: Direction) => HeldTrade | undefined;
}

const MAX_LENGTH = 500;

const BLOCK_TEXTS: Readonly<Record<EntryBlock, string>> = {
  direction: 'the strategy does not trade this side',
  cooldown: 'the account waits after its last trade',
  opposite_trade: 'a trade of the other side is open',
  open_trade: 'a trade is open',
  waiting_order: 'an order waits',
  max_trades: 'as many trades as allowed are open',
};

/** Writes why an entry was not placed though its signal held. */
export const blockText = (block: EntryBlock): string => BLOCK_TEXTS[block];

/** Names an order that opens or closes a trade. */
const entryVerb = (side: Direction): string => (side === 1 ? 'buy' : 'sell short');
const exitVerb = (side: Direction): string => (side === 1 ? 'sell' : 'buy back');

const pastVerb = (verb: string): string => verb.replace(/^buy/, 'bought').replace(/^sell/, 'sold');

/** Returns a bar as the conditions of a side see it. */
const viewOf = (
  { running, frames, position, bar, held, runs }: Moment,
  side: Direction,
): BarView | undefined => {
  const values = frames.reasons.get(position);
  if (!values) return undefined;
  return { running, memory: memoryOf(running, values), held: held(side), bar, runs };
};

/** Writes why an entry of the rules held. */
export const entryReason = (moment: Moment, entry: number): string => {
  const condition = moment.running.rules.entries[entry]?.when;
  const side = moment.running.program.trading.entries[entry]?.side;
  const view = side && viewOf(moment, side);
  return condition && view ? reasonOf(view, condition) : 'entry of the rules';
};

/** Writes why the exit of a side held. */
const exitReason = (moment: Moment, side: Direction): string => {
  const { running, frames, position, bar, runs } = moment;
  const observation = frames.observations[position];
  const view = viewOf(moment, side);
  if (!view || !observation) return exitText('exit');
  const held = moment.held(side);
  const exit = running.program.trading.exits.findIndex(
    (each) => each.side === side && each.signal(observation, held, bar, runs),
  );
  const condition = running.rules.exits[exit]?.when;
  return condition ? reasonOf(view, condition) : exitText('exit');
};

/** Writes why an opposite entry closes a trade. */
const reverseReason = (moment: Moment, side: Direction): string => {
  const { running, frames, position, bar, runs } = moment;
  const observation = frames.observations[position];
  if (!observation) return exitText('reverse');
  const held = moment.held(side === 1 ? -1 : 1);
  const entry = running.program.trading.entries.findIndex(
    (each) => each.side !== side && each.signal(observation, held, bar, runs),
  );
  return entry < 0 ? exitText('reverse') : entryReason(moment, entry);
};

type Closing = Extract<AccountEvent, { type: 'closing' }>;

/** Writes why a close was requested. */
export const closingReason = (moment: Moment, { trade, reason }: Closing): string => {
  if (reason === 'exit') return exitReason(moment, trade.side);
  return reason === 'reverse' ? reverseReason(moment, trade.side) : exitText(reason);
};

const amountText = (steps: number, price: number, { settings }: Account): string =>
  `${quantityText(steps, settings)} at ${shownValue(price)}`;

const placedText = (moment: Moment, event: Extract<AccountEvent, { type: 'placed' }>): string => {
  const { kind, side } = entryOf(moment.running.program.trading, event.order);
  const price = kind === 'market' ? '' : ` by a ${kind} order at ${shownValue(event.order.price)}`;
  return `${entryReason(moment, event.order.entry)}: ${entryVerb(side)}${price}`;
};

const signalledText = (
  account: Account,
  { order, closed, opened, price, reason }: Extract<AccountEvent, { type: 'signalled' }>,
): string => {
  const verb = order.side === 1 ? 'buy' : 'sell';
  const filled = closed + opened;
  const done = filled > 0 ? `${pastVerb(verb)} ${amountText(filled, price, account)}: signal` : undefined;
  const refused = reason && `order of a signal to ${verb} cancelled: ${cancelText(reason)}`;
  return [done, refused].filter((text) => text !== undefined).join('; ');
};

const closedPart = ({ steps, closing }: OpenTrade): string =>
  closing > 0 && closing < steps ? ' a part' : '';

const textOf = (moment: Moment, account: Account, event: AccountEvent): string | undefined => {
  switch (event.type) {
    case 'placed':
      return placedText(moment, event);
    case 'closing':
      return `${closingReason(moment, event)}: ${exitVerb(event.trade.side)}${closedPart(event.trade)}`;
    case 'entered':
      return `${pastVerb(entryVerb(event.trade.side))} ${amountText(event.steps, event.trade.entryPrice, account)}`;
    case 'exited': {
      const { trade, steps, closed } = event;
      const verb = pastVerb(exitVerb(trade.side));
      return `${verb} ${amountText(steps, closed.exit_price, account)}: ${exitText(closed.exit_reason)}`;
    }
    case 'cancelled': {
      const { side } = entryOf(moment.running.program.trading, event.order);
      return `order to ${entryVerb(side)} cancelled: ${cancelText(event.reason)}`;
    }
    case 'cancelling': {
      const { side } = entryOf(moment.running.program.trading, event.order);
      return `cancels the order to ${entryVerb(side)}: ${cancelText(event.reason)}`;
    }
    case 'signalled':
      return signalledText(account, event);
    case 'swap':
      return undefined;
  }
};

/** Writes why the entries that turned true were not placed, unless one was. */
const skippedTexts = (moment: Moment, account: Account): string[] => {
  const { frames, position, running } = moment;
  const plan = running.program.trading;
  return (frames.turned.get(position) ?? []).flatMap((index) => {
    const entry = plan.entries[index];
    if (!entry) return [];
    const block = entryBlock(account, plan, entry, account.bar - 1);
    if (!block && !account.isPaused) return [];
    const cause = block ? blockText(block) : cancelText('paused');
    return [`${entryReason(moment, index)}: no entry, ${cause}`];
  });
};

/** Closes of several trades for one reason are one decision. */
const isRepeated = (event: AccountEvent, index: number, events: readonly AccountEvent[]): boolean =>
  event.type === 'closing' &&
  events.slice(0, index).some((before) => before.type === 'closing' && before.reason === event.reason);

/**
 * Writes the decisions of an account at its last bar, in their order. An entry that is skipped is noted when its signal
 * turns true, not on every bar on which it holds.
 */
export const decisionsOf = (
  { running, frames, position }: Pick<Moment, 'running' | 'frames' | 'position'>,
  account: Account,
  events: readonly AccountEvent[],
): Decision[] => {
  const held = (side: Direction) => oldestTrade(account, side);
  const moment = { running, frames, position, runs: account.runs, bar: account.bar - 1, held };
  const texts = events.map((event, index) =>
    isRepeated(event, index, events) ? undefined : textOf(moment, account, event),
  );
  const hasPlaced = events.some(({ type }) => type === 'placed');
  const skipped = hasPlaced || account.isRuined ? [] : skippedTexts(moment, account);
  return [...texts, ...skipped]
    .filter((text) => text !== undefined)
    .map((text) => ({ at: account.at, text: shortened(text, MAX_LENGTH) }));
};
