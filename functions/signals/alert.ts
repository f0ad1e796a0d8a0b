import { createHash } from 'node:crypto';
import * as z from 'zod';
import { extensionRecord } from '../../shared/api/fields.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { amountInput, decimal } from '../../shared/domain/money.ts';
import { roundingNote } from '../../shared/domain/rounding-note.ts';
import { sentenceInput } from '../../shared/domain/text.ts';
import { timeInput } from '../../shared/domain/time-inputs.ts';

const SIGNAL_ACTIONS = ['buy', 'sell', 'close'] as const;

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
    action: z.string().toLowerCase().pipe(z.enum(SIGNAL_ACTIONS)),
    symbol: z.string().min(1).max(64).optional(),
    quantity: amount(),
    price: amount(),
    time: timeInput.optional(),
    message: sentenceInput(1000).optional(),
  }),
);

/** A signal with checked amounts. */
export interface Alert {
  readonly action: (typeof SIGNAL_ACTIONS)[number];
  readonly symbol: string;
  readonly quantity: string | undefined;
  readonly price: string | undefined;
  readonly message: string | undefined;
  /** Names the amounts that were rounded. */
  readonly note: string | undefined;
  /** Digests by which a repeat is recognised, its own first. */
  readonly digests: readonly [string, ...string[]];
}

/** Reads an amount above zero. @throws ValidationError */
const positive = (given: number | string | undefined, field: string): string | undefined => {
  if (given === undefined) return undefined;
  const { data } = amountInput.safeParse(given);
  if (data !== undefined && decimal(data).gt(0)) return data;
  throw invalidValue(['body', field], 'value is not a decimal above 0', 'type_error.decimal');
};

/**
 * Returns the symbol of the deployment that a signal means. Senders write it in any case, and with an exchange before a
 * colon.
 *
 * @throws ValidationError
 */
const symbolOf = (given: string | undefined, symbols: readonly string[]): string => {
  const [only, ...others] = symbols;
  if (given === undefined) {
    if (only !== undefined && others.length === 0) return only;
    throw invalidValue(['body', 'symbol'], 'field required', 'value_error.missing');
  }
  const name = given.slice(given.lastIndexOf(':') + 1).toUpperCase();
  const symbol = symbols.find((one) => one.toUpperCase() === name);
  if (symbol !== undefined) return symbol;
  throw invalidValue(['body', 'symbol'], 'symbol is not one of the deployment', 'value_error.symbol');
};

/**
 * Returns the digests by which a repeat of a signal is recognised.
 *
 * @throws ValidationError for a signal of another time.
 */
export const digestsOf = (json: z.output<typeof signalIn>, now: Date): Alert['digests'] => {
  const { time } = json;
  if (time !== undefined && Math.abs(Date.parse(time) - now.getTime()) > MAX_OFF_MS) {
    const msg = 'the time is more than five minutes from now';
    throw invalidValue(['body', 'time'], msg, 'value_error.time');
  }
  const digestOf = (minute: number): string =>
    createHash('sha256')
      .update(JSON.stringify([json, minute]))
      .digest('base64url')
      .slice(0, DIGEST_LENGTH);
  const minute = Math.floor((time === undefined ? now.getTime() : Date.parse(time)) / MINUTE_MS);
  // A repeat of a signal without a time may arrive in the next minute.
  return [digestOf(minute), ...(time === undefined ? [digestOf(minute - 1)] : [])];
};

/** Checks a signal for a deployment with some symbols. @throws ValidationError */
export const readAlert = (
  { action, symbol, quantity, price, message }: z.output<typeof signalIn>,
  digests: Alert['digests'],
  symbols: readonly string[],
): Alert => ({
  action,
  symbol: symbolOf(symbol, symbols),
  quantity: positive(quantity, 'quantity'),
  price: positive(price, 'price'),
  message: message ?? undefined,
  note: roundingNote({ quantity, price }),
  digests,
});
