import { decimal } from '../../domain/money.ts';
import { OrderRefusedError, type OrderToPlace } from './execution-broker.ts';

type OrderType = OrderToPlace['type'];
type TimeInForce = OrderToPlace['timeInForce'];

const ALL: readonly OrderType[] = ['market', 'limit', 'stop', 'stop_limit'];
const AT_ONCE: readonly OrderType[] = ['market', 'limit'];

/** Kinds of assets with combinations of their own, and the words for them. */
const KINDS = { whole: 'whole shares', fraction: 'fractions of shares', crypto: 'crypto assets' } as const;

/**
 * Order types by time in force, from Alpaca's page "Placing Orders". It names limit orders of a day for crypto assets
 * both taken and not taken, so these are left out.
 */
const TAKEN: Readonly<Record<keyof typeof KINDS, Readonly<Record<TimeInForce, readonly OrderType[]>>>> = {
  whole: { day: ALL, gtc: ALL, ioc: AT_ONCE, fok: AT_ONCE },
  fraction: { day: ALL, gtc: [], ioc: [], fok: [] },
  crypto: { day: [], gtc: ['market', 'limit', 'stop_limit'], ioc: AT_ONCE, fok: [] },
};

const kindOf = ({ assetClass, quantity }: OrderToPlace): keyof typeof KINDS => {
  if (assetClass === 'crypto') return 'crypto';
  return decimal(quantity).mod(1).eq(0) ? 'whole' : 'fraction';
};

/**
 * Replaces a time in force that Alpaca does not take by one with which the order ends no later: a market order of a
 * crypto asset fills at once, and a fraction of a share that the hub would cancel itself ends with the day.
 */
const substituteOf = (kind: keyof typeof KINDS, { type, timeInForce }: OrderToPlace): TimeInForce => {
  if (kind === 'crypto' && type === 'market' && timeInForce === 'day') return 'gtc';
  return kind === 'fraction' && timeInForce === 'gtc' ? 'day' : timeInForce;
};

const WORDS: Readonly<Record<OrderType, string>> = {
  market: 'market orders',
  limit: 'limit orders',
  stop: 'stop orders',
  stop_limit: 'stop-limit orders',
};

/** Returns the time in force to send. @throws OrderRefusedError if Alpaca does not take the order */
export const acceptedTimeInForce = (order: OrderToPlace): TimeInForce => {
  const kind = kindOf(order);
  const timeInForce = substituteOf(kind, order);
  if (TAKEN[kind][timeInForce].includes(order.type)) return timeInForce;
  const isNever = Object.values(TAKEN[kind]).every((types) => !types.includes(order.type));
  const how = isNever ? '' : ` with the time in force "${order.timeInForce}"`;
  throw new OrderRefusedError(`Alpaca takes no ${WORDS[order.type]} of ${KINDS[kind]}${how}.`);
};
