import type { trading } from '@alpacahq/alpaca-trade-api';
import * as z from 'zod';

type SnakeCase<S extends string> = S extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Rest>}`
  : S;

type WireValue<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly WireValue<Item>[]
    : T extends object
      ? Wire<T>
      : T;

/** JSON form of a type of Alpaca's own client, which is generated from the OpenAPI description of the Trading API. */
type Wire<T> = {
  [K in keyof T as string extends K ? never : SnakeCase<K & string>]: WireValue<T[K]>;
};

/** Schemas of fields that the published type has, for values that it admits. The compiler refuses others. */
type Described<T> = { readonly [K in keyof Wire<T>]?: z.ZodType<Wire<T>[K] | undefined> };

/** Order as published. */
export type PublishedOrder = Wire<trading.Order>;
export type PublishedPosition = Wire<trading.Position>;
export type PublishedAccount = Wire<trading.Account>;
export type PublishedClock = Wire<trading.LegacyClock>;
type PublishedStatus = trading.OrderStatus;

/** Statuses after which an order changes no more, of the published list. */
export const FINAL: ReadonlySet<string> = new Set<PublishedStatus>([
  'filled',
  'canceled',
  'expired',
  'rejected',
  'replaced',
]);

/** All published statuses. The compiler refuses a list that lacks one. */
export const PUBLISHED_STATUSES = Object.keys({
  new: true,
  partially_filled: true,
  filled: true,
  done_for_day: true,
  canceled: true,
  expired: true,
  replaced: true,
  pending_cancel: true,
  pending_replace: true,
  accepted: true,
  pending_new: true,
  accepted_for_bidding: true,
  stopped: true,
  rejected: true,
  suspended: true,
  calculated: true,
  held: true,
} satisfies Record<PublishedStatus, true>);

const amount = z.string().regex(/^\d+(\.\d{1,9})?$/);

/** Body of `POST /v2/orders`, as far as a program of this service may use it: no notional, trailing or option orders. */
export const orderRequest = z.strictObject({
  symbol: z.string().min(1),
  qty: amount,
  side: z.enum(['buy', 'sell']),
  type: z.enum(['market', 'limit', 'stop', 'stop_limit']),
  time_in_force: z.enum(['day', 'gtc', 'ioc', 'fok']),
  client_order_id: z.string().min(1).max(128).optional(),
  limit_price: amount.optional(),
  stop_price: amount.optional(),
  order_class: z.enum(['', 'simple', 'oco', 'oto', 'bracket']).optional(),
  take_profit: z.strictObject({ limit_price: amount }).optional(),
  stop_loss: z.strictObject({ stop_price: amount, limit_price: amount.exactOptional() }).optional(),
  extended_hours: z.boolean().optional(),
  position_intent: z.enum(['buy_to_open', 'buy_to_close', 'sell_to_open', 'sell_to_close']).optional(),
} satisfies Described<trading.PostOrderRequest>);
export type OrderRequest = z.output<typeof orderRequest>;

/** Body of `PATCH /v2/orders/{order_id}`. */
export const patchRequest = z.strictObject({
  qty: amount.optional(),
  time_in_force: z.enum(['day', 'gtc', 'ioc', 'fok']).optional(),
  limit_price: amount.optional(),
  stop_price: amount.optional(),
  client_order_id: z.string().min(1).max(128).optional(),
} satisfies Described<trading.PatchOrderRequest>);
export type PatchRequest = z.output<typeof patchRequest>;

/** Refusal with the published form. */
export interface Refusal {
  readonly status: number;
  readonly body: { readonly code: number; readonly message: string; readonly [field: string]: unknown };
}

export const refusal = (
  status: number,
  code: number,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): Refusal => ({ status, body: { code, message, ...more } });

export const unprocessable = (message: string): Refusal => refusal(422, 42210000, message);

export const isRefusal = (answer: object): answer is Refusal => 'status' in answer && 'body' in answer;
