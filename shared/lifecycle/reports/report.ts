import * as z from 'zod';
import { STOP_REASONS } from '../../domain/deployments/deployment-states.ts';
import { HUB_SOURCE } from '../../domain/deployments/event-source.ts';
import { atDigits } from '../../domain/digits.ts';
import { malformed } from '../../domain/malformed-event.ts';
import { amountInput, rateInput } from '../../domain/money.ts';
import { nameInput, symbolInput } from '../../domain/orders/name-inputs.ts';
import { orderUpdateSchema } from '../../domain/orders/order-update.ts';
import { NOT_AN_INTEGER } from '../../domain/read-number.ts';
import { sentenceInput } from '../../domain/text.ts';
import { timeInput } from '../../domain/time-inputs.ts';
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
  deployment_id: z.int({ error: NOT_AN_INTEGER }).positive(),
  occurred_at: timeInput.refine((at) => Date.parse(at) >= 0, { error: 'lies before 1970' }),
} as const;

const positive = amountInput.refine((amount) => Number(amount) > 0, { error: 'must be positive' });

const kind = <T extends string, D extends z.ZodObject>(type: T, detail: D) => ({
  schema: z.object({ type: z.literal(type), source: z.string().min(1).max(256), detail }),
  /**
   * Makes a report of the hub, with its amounts and texts checked as those of engines are.
   *
   * @throws MalformedEventError
   */
  ofHub: (given: z.input<D>) => {
    const { data, error } = detail.safeParse(given);
    if (error) throw malformed(error, given);
    return { type, source: HUB_SOURCE, detail: data };
  },
});

export const STARTED = kind('Deployment Started', z.object(common));
export const STOPPED = kind('Deployment Stopped', z.object({ ...common, stop_reason: z.enum(STOP_REASONS) }));
export const FAILED = kind(
  'Deployment Error',
  z.object({ ...common, message: sentence(500, 'No message.') }),
);
export const SIGNAL_RAISED = kind(
  'Signal Raised',
  z.object({
    ...common,
    symbol: symbolInput,
    side: z.enum(['buy', 'sell']),
    price: price.optional(),
    title: sentence(200, 'Signal'),
    body: sentence(1000, 'No text.'),
  }),
);
export const ORDER_UPDATED = kind(
  'Order Updated',
  // Units per lot, for an instrument outside the deployment.
  orderUpdateSchema.safeExtend({ ...common, contract_size: positive.optional() }),
);
const QUOTE_MARKED = kind(
  'Quote Marked',
  z.object({ ...common, symbol: symbolInput, price: priceText, rate: rateInput.optional() }),
);
export const SWAP_CHARGED = kind(
  'Swap Charged',
  z.object({ ...common, symbol: symbolInput, charge_id: nameInput(128), amount: amountInput }),
);
const SCANNER_MATCHED = kind(
  'Scanner Matched',
  z.object({
    ...common,
    matches: z
      .array(z.object({ symbol: symbolInput, price: price.optional() }))
      .min(1)
      .max(MAX_SHOWN_MATCHES),
  }),
);

/** Schema of a report: what an engine, or the hub itself, says about a deployment, and who says it. */
export const reportSchema = z.discriminatedUnion('type', [
  STARTED.schema,
  STOPPED.schema,
  FAILED.schema,
  SIGNAL_RAISED.schema,
  ORDER_UPDATED.schema,
  QUOTE_MARKED.schema,
  SWAP_CHARGED.schema,
  SCANNER_MATCHED.schema,
]);

export type Report = z.output<typeof reportSchema>;
export type ReportType = Report['type'];

export type ReportOf<T extends ReportType> = Extract<Report, { type: T }>;

/** Lists the types of reports, which are the detail types of the events of engines. */
export const REPORT_TYPES: readonly ReportType[] = reportSchema.options.map(
  (option) => option.shape.type.value,
);

/** Reports on trading deployments that change the books. */
export type BooksReport = ReportOf<'Order Updated' | 'Quote Marked' | 'Swap Charged'>;

/** Reports that change no books. */
export type StatusReport = Exclude<Report, BooksReport>;

/** Tells whether a report changes the books. */
export const isBooksReport = (report: Report): report is BooksReport =>
  report.type === 'Order Updated' || report.type === 'Quote Marked' || report.type === 'Swap Charged';
