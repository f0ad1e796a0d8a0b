import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { writeCatalogueLists, writeInstruments } from '../../shared/data/instruments/instrument-write.ts';
import { findInstruments } from '../../shared/data/instruments/instruments.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { completeInstrument } from '../../shared/domain/instruments/instrument-completion.ts';
import {
  type Instrument,
  type Listing,
  type RetailBroker,
  retailBrokerSchema,
  type Universe,
  universeSchema,
} from '../../shared/domain/instruments/instrument-records.ts';
import { ASSET_CLASSES } from '../../shared/domain/instruments/instruments.ts';
import { FORMATS } from './formats.ts';
import { readLine } from './read-facts.ts';

/** Instruments of a class that a broker offers. */
const offerSchema = z.object({
  asset_class: z.enum(ASSET_CLASSES),
  /** Template of the broker's tickers with `{symbol}`. `tickers` has the exceptions. */
  ticker: z.string(),
  /** Only instruments of these exchanges. */
  exchanges: z.array(z.string()).optional(),
  /** Only these instruments. */
  only: z.array(z.string()).optional(),
  /** Only on these servers of the broker. */
  servers: z.array(z.string()).optional(),
});

const brokerSchema = retailBrokerSchema.extend({
  offers: z.array(offerSchema),
  tickers: z.record(z.string(), z.string()),
});

type OfferingBroker = z.output<typeof brokerSchema>;

/** Instruments, retail brokers and universes that the project ships. */
export interface Catalogue {
  readonly instruments: readonly Instrument[];
  readonly brokers: readonly RetailBroker[];
  readonly universes: readonly Universe[];
}

const text = (name: string): string => readFileSync(new URL(`./data/${name}`, import.meta.url), 'utf8');

const rowsOf = (name: string): Record<string, string>[] => parse(text(name), { columns: true });

const listingBy = (
  { broker_id, servers, offers, tickers }: OfferingBroker,
  { symbol, asset_class: assetClass, exchange }: Instrument,
): Listing | undefined => {
  const offer = offers.find(
    (one) =>
      one.asset_class === assetClass &&
      (one.exchanges?.includes(exchange) ?? true) &&
      (one.only?.includes(symbol) ?? true),
  );
  return (
    offer && {
      broker_id,
      symbol: tickers[symbol] ?? offer.ticker.replace('{symbol}', symbol),
      servers: offer.servers ?? servers,
    }
  );
};

const listingsOf = (brokers: readonly OfferingBroker[], instrument: Instrument): Instrument['listings'] =>
  Object.fromEntries(
    brokers.flatMap((broker) => {
      const listing = listingBy(broker, instrument);
      return listing ? [[broker.slug, listing]] : [];
    }),
  );

const hubFormat = FORMATS.find(({ name }) => name === 'hub');

const instrumentOf = (row: Readonly<Record<string, string>>): Instrument => {
  if (!hubFormat) throw new Error('the format of the catalogue does not exist');
  const line = readLine(row, { format: hubFormat, classes: new Map(), qualify: false });
  if (!line) throw new Error('the catalogue has a line that would be skipped');
  const { data, problems } = completeInstrument(line.facts, undefined);
  if (!data)
    throw new Error(`the catalogue's ${line.facts.symbol} is not a valid instrument: ${problems.join('; ')}`);
  return data;
};

/** Reads the catalogue that the project ships. */
export const readCatalogue = (): Catalogue => {
  const offering = z.array(brokerSchema).parse(JSON.parse(text('brokers.json')));
  const instruments = ASSET_CLASSES.flatMap((assetClass) => rowsOf(`${assetClass}.csv`).map(instrumentOf));
  return {
    instruments: instruments.map((one) => ({ ...one, listings: listingsOf(offering, one) })),
    brokers: z.array(retailBrokerSchema).parse(offering),
    universes: z.array(universeSchema).parse(JSON.parse(text('universes.json'))),
  };
};

const CHUNK = 100;

/**
 * Writes the catalogue. Replaces stored instruments with the same symbols; other instruments and the lists of other
 * brokers do not change. A repeat writes no instrument.
 *
 * @returns the number of instruments written.
 */
export const loadCatalogue = async (store: Store, catalogue = readCatalogue()): Promise<number> => {
  let written = 0;
  for (let start = 0; start < catalogue.instruments.length; start += CHUNK) {
    const chunk = catalogue.instruments.slice(start, start + CHUNK);
    const symbols = chunk.map(({ symbol }) => symbol);
    const found = await findInstruments(store, symbols, { consistent: true });
    const changes = chunk
      .map((one, index) => ({
        stored: found[index],
        next: { ...one, listings: { ...found[index]?.listings, ...one.listings } },
      }))
      .filter(({ stored, next }) => !isDeepStrictEqual(stored, next));
    await writeInstruments(store, changes);
    written += changes.length;
  }
  await writeCatalogueLists(store, catalogue);
  return written;
};
