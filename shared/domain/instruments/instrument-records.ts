import * as z from 'zod';
import { ASSET_CLASSES, SWAP_CALCULATIONS, SYMBOL, WEEKDAYS } from './instruments.ts';

/** ISO 4217 codes, and codes of crypto assets and metals. */
const CURRENCY = /^[\p{Lu}\p{Lo}\p{N}]{1,20}$/u;

/** Bounds within which the table and JSON hold numbers precisely enough. */
const positive = z.number().min(1e-18).max(Number.MAX_SAFE_INTEGER);
const rate = z.number().min(-9e15).max(9e15);

/** An instrument as a broker offers it. */
const listingSchema = z.object({
  broker_id: z.number(),
  /** The broker's own name for the instrument. */
  symbol: z.string().min(1).max(64),
  /** The broker's trading servers that offer it, if the broker has several. */
  servers: z.array(z.string()).default([]),
});

export type Listing = z.output<typeof listingSchema>;

/** An instrument of the catalogue. Volumes are in lots of `contract_size` units. */
export const instrumentSchema = z.object({
  symbol: z.string().regex(SYMBOL),
  name: z.string().min(1).max(200),
  exchange: z.string().min(1).max(64),
  asset_class: z.enum(ASSET_CLASSES),
  base_currency: z.string().regex(CURRENCY).optional(),
  quote_currency: z.string().regex(CURRENCY),
  /** Smallest change of the price. */
  tick_size: positive,
  /** Decimals of the price. */
  digits: z.int().min(0).max(18),
  contract_size: positive,
  min_volume: positive,
  max_volume: positive.optional(),
  volume_step: positive,
  /** Per lot and night, in the unit of `swap_calculation`; negative is a charge. */
  swap_long: rate.optional(),
  swap_short: rate.optional(),
  swap_calculation: z.enum(SWAP_CALCULATIONS).optional(),
  /** The day whose rollover counts as three nights. */
  triple_swap_weekday: z.enum(WEEKDAYS).optional(),
  tradable: z.boolean(),
  /** Absent: short positions are allowed. */
  short_allowed: z.boolean().optional(),
  /** By the broker's slug. */
  listings: z.record(z.string(), listingSchema).default({}),
});

export type Instrument = z.output<typeof instrumentSchema>;

/** A named set of instruments, for example for a scanner. */
export const universeSchema = z.object({
  universe_id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string(),
  description: z.string(),
  symbols: z.array(z.string().regex(SYMBOL)).min(1),
});

export type Universe = z.output<typeof universeSchema>;

/** A broker that takes retail customers, in contrast to a white-label broker. */
export const retailBrokerSchema = z.object({
  broker_id: z.int(),
  slug: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string(),
  logo_url: z.url().optional(),
  asset_classes: z.array(z.enum(ASSET_CLASSES)).min(1),
  /** Regions of its customers: ISO 3166-1 codes, `EU` or `global`. */
  regions: z.array(z.string()),
  /** Method by which a user connects an account. */
  connection: z.enum(['oauth', 'token', 'password']),
  servers: z.array(z.string()),
});

export type RetailBroker = z.output<typeof retailBrokerSchema>;
