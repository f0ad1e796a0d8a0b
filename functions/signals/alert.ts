import { createHash } from 'node:crypto';
import * as z from 'zod';
import { extensionRecord } from '../../shared/api/fields.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { roundingNote } from '../../shared/domain/rounding-note.ts';
import { sentenceInput } from '../../shared/domain/text.ts';
import { timeInput } from '../../shared/domain/time-inputs.ts';
import { ACTION_WORDS, actionOf, type SignalAction } from './actions.ts';
import { positiveAmount } from './positive-amount.ts';

/** Time in milliseconds by which the clock of a sender may differ, and a signal may be late. */
const MAX_OFF_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
const DIGEST_LENGTH = 16;

/** Number or decimal text: TradingView writes both. */
const amount = () => z.union([z.number(), z.string()]).optional();

/** A signal as it is sent. Other fields are ignored, so that a template may hold more. */
export const signalIn = extensionRecord(
  'SignalIn',
  z.object({
    action: z.string().toLowerCase().pipe(z.enum(ACTION_WORDS)),
    id: z.string().min(1).max(128).optional(),
    symbol: z.string().min(1).max(64).optional(),
    quantity: amount(),
    price: amount(),
    stop: amount(),
    target: amount(),
    time: timeInput.optional(),
    message: sentenceInput(1000).optional(),
  }),
);

/** A signal with checked amounts. */
export interface Alert {
  readonly action: SignalAction;
  readonly symbol: string;
  readonly quantity: string | undefined;
  readonly price: string | undefined;
  /** Prices at which the trade ends. */
  readonly stop: string | undefined;
  readonly target: string | undefined;
  readonly message: string | undefined;
  /** Time that the sender names. */
  readonly time: string | undefined;
  /** Names the amounts that were rounded. */
  readonly note: string | undefined;
  /** Digests by which a repeat is recognised, its own first. */
  readonly digests: readonly [string, ...string[]];
}

const positive = (given: number | string | undefined, field: string): string | undefined =>
  given === undefined ? undefined : positiveAmount(given, field);

/** Returns a symbol as senders may write it: in any case, with an exchange before a colon, its parts apart. */
const plainSymbol = (symbol: string): string =>
  symbol
    .slice(symbol.lastIndexOf(':') + 1)
    .toUpperCase()
    .replace(/[/_-]/g, '');

/** Returns the symbol of the deployment that a signal means. @throws ValidationError */
const symbolOf = (given: string | undefined, symbols: readonly string[]): string => {
  const [only, ...others] = symbols;
  if (given === undefined) {
    if (only !== undefined && others.length === 0) return only;
    throw invalidValue(['body', 'symbol'], 'field required', 'value_error.missing');
  }
  const name = given.slice(given.lastIndexOf(':') + 1).toUpperCase();
  const exact = symbols.find((one) => one.toUpperCase() === name);
  const [alike, ...more] = symbols.filter((one) => plainSymbol(one) === plainSymbol(given));
  const symbol = exact ?? (more.length === 0 ? alike : undefined);
  if (symbol !== undefined) return symbol;
  throw invalidValue(['body', 'symbol'], 'symbol is not one of the deployment', 'value_error.symbol');
};

/** Age at which an alert places no real order, and time by which the clock of its sender may be ahead. */
export const MAX_AGE_MS = MINUTE_MS;
const MAX_AHEAD_MS = 10_000;

/** An alert for real orders names itself and its time. */
type RealAlert = z.output<typeof signalIn> & { readonly id: string; readonly time: string };

/** Requires what an alert for real orders must have. @throws ValidationError */
export const requireReal = (json: z.output<typeof signalIn>, now: Date): RealAlert => {
  const { id, time } = json;
  if (id === undefined) throw invalidValue(['body', 'id'], 'field required', 'value_error.missing');
  if (time === undefined) throw invalidValue(['body', 'time'], 'field required', 'value_error.missing');
  const age = now.getTime() - Date.parse(time);
  if (age > MAX_AGE_MS) {
    throw invalidValue(['body', 'time'], 'the alert is older than a minute', 'value_error.time');
  }
  if (age < -MAX_AHEAD_MS) {
    throw invalidValue(['body', 'time'], 'the time is more than ten seconds ahead', 'value_error.time');
  }
  return { ...json, id, time };
};

/** @throws ValidationError for a signal of another time */
export const requireTimely = ({ time }: z.output<typeof signalIn>, now: Date): void => {
  if (time === undefined || Math.abs(Date.parse(time) - now.getTime()) <= MAX_OFF_MS) return;
  throw invalidValue(['body', 'time'], 'the time is more than five minutes from now', 'value_error.time');
};

/**
 * Returns the digests by which a repeat of a signal is recognised: of its id, and of all that it says; without an id of
 * the latter alone, by the minute.
 */
export const digestsOf = (json: z.output<typeof signalIn>, now: Date): Alert['digests'] => {
  const { id, time } = json;
  const digestOf = (...parts: readonly unknown[]): string =>
    createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, DIGEST_LENGTH);
  if (id !== undefined) return [digestOf('id', id), digestOf('all', json)];
  const minute = Math.floor((time === undefined ? now.getTime() : Date.parse(time)) / MINUTE_MS);
  // A repeat of a signal without a time may arrive in the next minute.
  return [digestOf(json, minute), ...(time === undefined ? [digestOf(json, minute - 1)] : [])];
};

/** Checks a signal for a deployment with some symbols. @throws ValidationError */
export const readAlert = (
  json: z.output<typeof signalIn>,
  digests: Alert['digests'],
  symbols: readonly string[],
): Alert => {
  const { symbol, quantity, price, stop, target, message, time } = json;
  const action = actionOf(json.action);
  if (!action) throw new Error('the schema of signals has an action that none of its words means');
  return {
    action,
    symbol: symbolOf(symbol, symbols),
    quantity: positive(quantity, 'quantity'),
    price: positive(price, 'price'),
    stop: positive(stop, 'stop'),
    target: positive(target, 'target'),
    message: message ?? undefined,
    time,
    note: roundingNote({ quantity, price, stop, target }),
    digests,
  };
};
