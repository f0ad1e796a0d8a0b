import * as z from 'zod';
import { STOP_REASONS } from '../../domain/deployments/deployment-states.ts';
import { atDigits, takenNumbers } from '../../domain/digits.ts';
import { problemsOf } from '../../domain/issue-texts.ts';
import { amountInput, rateInput } from '../../domain/money.ts';
import { NOT_AN_INTEGER } from '../../domain/numbers.ts';
import { nameInput, symbolInput } from '../../domain/orders/name-inputs.ts';
import { orderUpdateSchema } from '../../domain/orders/order-update.ts';
import { roundingNote } from '../../domain/rounding-note.ts';
import { sentenceInput } from '../../domain/text.ts';
import { timeInput } from '../../domain/time-inputs.ts';
import { isRecord } from '../../domain/unknown-fields.ts';
import { MAX_SHOWN_MATCHES } from './scanner-matches.ts';

const sentence = (max: number, without: string) =>
  sentenceInput(max)
    .optional()
    .transform((text) => text ?? without);

const MAX_PRICE = 1e15;

const priceText = amountInput.refine((amount) => Math.abs(Number(amount)) <= MAX_PRICE, {
  error: 'is out of range',
});

/** Price that is stored as a number. */
const price = priceText.transform((amount) => atDigits(Number(amount)));

const common = {
  version: z.literal(1),
  deployment_id: z.int({ error: NOT_AN_INTEGER }).positive(),
  occurred_at: timeInput.refine((at) => Date.parse(at) >= 0, { error: 'lies before 1970' }),
} as const;

const positive = amountInput.refine((amount) => Number(amount) > 0, { error: 'must be positive' });

const event = <T extends string, D extends z.ZodObject>(type: T, detail: D) =>
  z.object({ 'detail-type': z.literal(type), source: z.string().min(1).max(256), detail });

/** Event of an execution engine, as the bus delivers it. Other fields of the envelope are ignored. */
const executionEvent = z.discriminatedUnion('detail-type', [
  event('Deployment Started', z.object(common)),
  event('Deployment Stopped', z.object({ ...common, stop_reason: z.enum(STOP_REASONS) })),
  event('Deployment Error', z.object({ ...common, message: sentence(500, 'No message.') })),
  event(
    'Signal Raised',
    z.object({
      ...common,
      symbol: symbolInput,
      side: z.enum(['buy', 'sell']),
      price: price.optional(),
      title: sentence(200, 'Signal'),
      body: sentence(1000, 'No text.'),
    }),
  ),
  event(
    'Order Updated',
    // Units per lot, for an instrument outside the deployment.
    orderUpdateSchema.safeExtend({ ...common, contract_size: positive.optional() }),
  ),
  event(
    'Quote Marked',
    z.object({
      ...common,
      symbol: symbolInput,
      price: priceText,
      rate: rateInput.optional(),
    }),
  ),
  event(
    'Swap Charged',
    z.object({ ...common, symbol: symbolInput, charge_id: nameInput(128), amount: amountInput }),
  ),
  event(
    'Scanner Matched',
    z.object({
      ...common,
      matches: z
        .array(z.object({ symbol: symbolInput, price: price.optional() }))
        .min(1)
        .max(MAX_SHOWN_MATCHES),
    }),
  ),
]);

export type ExecutionEvent = z.output<typeof executionEvent>;
export type EventType = ExecutionEvent['detail-type'];

/** Event of one type. */
export type EventOf<T extends EventType> = Extract<ExecutionEvent, { 'detail-type': T }>;

/** Lists the detail types that execution engines report. */
export const EVENT_TYPES: readonly EventType[] = executionEvent.options.map(
  (option) => option.shape['detail-type'].value,
);

/** Reports a permanently invalid event, which goes to the dead letters with this reason. */
export class MalformedEventError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MalformedEventError';
  }
}

/** Returns the error for an event that does not fit its schema, with every problem and none of the values. */
export const malformed = (error: z.ZodError, raw: unknown): MalformedEventError =>
  new MalformedEventError(problemsOf(error, raw).join('; '));

/** Reports an event that only a newer version of the service understands. */
export class NewerEventError extends Error {
  constructor() {
    super('the event is of a type or version that this version does not know');
    this.name = 'NewerEventError';
  }
}

const envelope = z.object({ 'detail-type': z.string(), detail: z.object({ version: z.int() }) });

const isNewer = (raw: unknown): boolean => {
  const { data } = envelope.safeParse(raw);
  if (!data) return false;
  return data.detail.version > 1 || !EVENT_TYPES.some((type) => type === data['detail-type']);
};

/** Adds to the message of an order which of its amounts were rounded. */
const withRoundingNote = (event: ExecutionEvent, raw: unknown): ExecutionEvent => {
  if (event['detail-type'] !== 'Order Updated' || !isRecord(raw) || !isRecord(raw.detail)) return event;
  const note = roundingNote(raw.detail);
  if (note === undefined) return event;
  const { status_message: message } = event.detail;
  return { ...event, detail: { ...event.detail, status_message: message ? `${message} ${note}` : note } };
};

/**
 * Reads an event of the bus.
 *
 * @throws NewerEventError
 * @throws MalformedEventError with every problem, none of the values
 */
export const parseEvent = (raw: unknown): ExecutionEvent => {
  const parsed = executionEvent.safeParse(takenNumbers(raw));
  if (parsed.success) return withRoundingNote(parsed.data, raw);
  if (isNewer(raw)) throw new NewerEventError();
  throw malformed(parsed.error, raw);
};

/** Events of trading deployments: they change the ledger. */
export type LedgerEvent = EventOf<'Order Updated' | 'Quote Marked' | 'Swap Charged'>;

export const isLedgerEvent = (event: ExecutionEvent): event is LedgerEvent =>
  event['detail-type'] === 'Order Updated' ||
  event['detail-type'] === 'Quote Marked' ||
  event['detail-type'] === 'Swap Charged';
