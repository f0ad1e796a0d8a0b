import { fromDouble } from '../../money.ts';
import type { AccountEvent, ExitReason } from '../account/account.ts';
import { movedPrice } from '../account/moved-price.ts';
import { at } from '../memory.ts';
import type { EntryPlan } from '../plan.ts';
import { shortened } from '../rules/describe.ts';
import { closingReason, entryReason, type Moment } from './decision-texts.ts';
import type { Frames } from './frames.ts';
import { exitText } from './reason-texts.ts';
import { shownValue } from './reasons.ts';
import type { RunningProgram } from './running-program.ts';

/** Signal for notification deployments. */
export interface ProgramSignal {
  readonly kind: 'entry' | 'exit';
  /** Start of the bar, and its position in the frames. */
  readonly at: number;
  readonly position: number;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Decimal text: the close, the price of the order, or that of the stop's or target's fill. */
  readonly price: string;
  readonly title: string;
  readonly body: string;
  /** Start of the entry bar of the model trade that an exit ends. A deployment that started later did not see it. */
  readonly entered_at?: number;
}

/** Most characters of a signal's body. */
const MAX_BODY = 1000;

type Closing = Extract<AccountEvent, { type: 'closing' }>;
type Exited = Extract<AccountEvent, { type: 'exited' }>;

const STOP_REASONS: ReadonlySet<ExitReason> = new Set(['stop_loss', 'take_profit', 'trailing_stop']);

const sentence = (text: string): string =>
  `${shortened(`${text.charAt(0).toUpperCase()}${text.slice(1)}`, MAX_BODY - 1)}.`;

const entryTitle = ({ kind, side }: EntryPlan, symbol: string, price: number): string => {
  const action = side === 1 ? `Buy ${symbol}` : `Sell ${symbol} short`;
  return kind === 'market'
    ? `${action} at ${shownValue(price)}`
    : `${action}: ${kind} at ${shownValue(price)}`;
};

const exitTitle = (side: 1 | -1, symbol: string, price: number): string =>
  `${side === 1 ? `Sell ${symbol}` : `Buy back ${symbol}`} at ${shownValue(price)}`;

/** Returns the first stop or target that filled at a bar, and the first close that was decided at its close. */
const exitSteps = (events: readonly AccountEvent[]): (Closing | Exited)[] => {
  const stopped = events.find(
    (event): event is Exited => event.type === 'exited' && STOP_REASONS.has(event.closed.exit_reason),
  );
  const closing = events.find((event): event is Closing => event.type === 'closing');
  return [stopped, closing].filter((step) => step !== undefined);
};

interface Place {
  readonly moment: Moment;
  readonly symbol: string;
  readonly start: number;
  readonly close: number;
}

const entrySignal = ({ moment, symbol, start, close }: Place, index: number): ProgramSignal[] => {
  const entry = moment.running.program.trading.entries[index];
  if (!entry) return [];
  const price = movedPrice(close, entry.side, entry.offset);
  return [
    {
      kind: 'entry',
      at: start,
      position: moment.position,
      symbol,
      side: entry.side === 1 ? 'buy' : 'sell',
      price: fromDouble(price),
      title: entryTitle(entry, symbol, price),
      body: sentence(entryReason(moment, index)),
    },
  ];
};

const exitSignal = ({ moment, symbol, start, close }: Place, step: Closing | Exited): ProgramSignal => {
  const { trade } = step;
  const price = step.type === 'exited' ? step.closed.exit_price : close;
  return {
    kind: 'exit',
    at: start,
    position: moment.position,
    symbol,
    side: trade.side === 1 ? 'sell' : 'buy',
    price: fromDouble(price),
    title: exitTitle(trade.side, symbol, price),
    body: sentence(step.type === 'exited' ? exitText(step.closed.exit_reason) : closingReason(moment, step)),
    entered_at: trade.entryAt,
  };
};

const signalsAt = (
  running: RunningProgram,
  frames: Frames,
  position: number,
  symbol: string,
): ProgramSignal[] => {
  const model = frames.model.get(position);
  if (!model) return [];
  const { events, runs, bar, held } = model;
  const place: Place = {
    moment: { running, frames, position, runs, bar, held },
    symbol,
    start: at(frames.bars.start, position),
    close: at(frames.bars.close, position),
  };
  const turned = frames.turned.get(position) ?? [];
  const entries = turned.flatMap((index) => entrySignal(place, index));
  // A reversal is one signal: its entry.
  const exits = exitSteps(events).filter(
    (step) => entries.length === 0 || step.type === 'exited' || step.reason !== 'reverse',
  );
  return [...exits.map((step) => exitSignal(place, step)), ...entries];
};

/**
 * Returns the signals of frames, in the order of time: entries whose condition turned true, and exits of the model
 * position.
 */
export const signalsOf = (running: RunningProgram, frames: Frames, symbol: string): ProgramSignal[] =>
  [...frames.model.keys()].flatMap((position) => signalsAt(running, frames, position, symbol));
