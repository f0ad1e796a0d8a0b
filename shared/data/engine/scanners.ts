import * as z from 'zod';
import { TIMEFRAMES, type Timeframe } from '../../domain/strategies/strategies.ts';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, parseReadable, placeByKey } from '../table/damaged-items.ts';
import { keys } from '../table/keys.ts';
import { pack, packed } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import { ConditionFailedError, type Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

const instrumentSchema = z.object({
  symbol: z.string(),
  program_id: z.string(),
  /** Timeframe of the stored bars, and the feed that sends them. */
  source: z.enum(TIMEFRAMES),
  feed: z.string(),
  calendar: z.string(),
  /** Start of the first stored bar from which the program warms up. */
  from: z.number(),
  /** Start of the last bar that had closed when the scanner began. */
  at: z.number(),
});

/** An instrument that a scanner watches. */
export type ScannedInstrument = z.output<typeof instrumentSchema>;

const scannedSchema = z.object({
  instruments: packed(z.array(instrumentSchema)),
  /** Number of instruments of the universe without candles, which are left out. */
  skipped: z.int(),
});

/** The instruments that a scanner watches. They never change. */
export type Scanned = z.output<typeof scannedSchema>;

/** Parses the instruments of a scanner; undefined if there is no item. */
export const asScanned = (item: Item | undefined): Scanned | undefined =>
  item && parseItem(scannedSchema, item);

/** Stores the instruments of a scanner, unless they are stored. @returns the stored ones. */
export const keepScanned = async (store: Store, deploymentId: number, scanned: Scanned): Promise<Scanned> => {
  const item = {
    ...scanned,
    ...keys.scannedInstruments(deploymentId),
    entity: 'scanned_instruments',
    instruments: pack(scanned.instruments),
  };
  try {
    await store.put(item, { condition: 'attribute_not_exists(pk)' });
    return scanned;
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    return asScanned(error.item) ?? scanned;
  }
};

/** Returns the write that lets a program work for a scanner. */
export const scannerSubWrite = (programId: string, deploymentId: number, symbol: string): Write => ({
  put: {
    ...keys.subscriber(programId, 'S', deploymentId),
    entity: 'engine_sub',
    kind: 'S',
    program_id: programId,
    deployment_id: deploymentId,
    symbol,
  },
});

/** Returns the name of the feed of a series, by which scanners run: the smaller bars of a source. */
export const feedOf = (timeframe: Timeframe, source: string): string => `${timeframe}#${source}`;

const scannerSchema = z.object({
  deployment_id: z.number(),
  rules_hash: z.string(),
});

/** A scanner that runs on the watermarks of a feed. */
export type Scanner = z.output<typeof scannerSchema>;

const runSchema = z.object({
  /** Newest watermark of the feed. */
  through: z.number(),
  /** Bars complete by then are closed for all instruments; a match that is written afterwards is late. */
  closed: z.number(),
  /** All scanners have reported the bars complete by then. Bars after it without a match need no write. */
  done: z.number(),
  rev: z.int(),
});

/** Progress of the scanners of a timeframe on the watermarks of a feed. */
export type ScannerRun = z.output<typeof runSchema>;

/** Scanners of a timeframe that run on the watermarks of a feed. */
export interface ScannerGroup {
  readonly timeframe: Timeframe;
  readonly feed: string;
}

/** Parses how far scanners have run; undefined if the feed has no scanner. */
export const asScannerRun = (item: Item | undefined): ScannerRun | undefined =>
  item && parseItem(runSchema, item);

/** Parses how far scanners have run, as {@link asScannerRun} does; undefined also if it cannot be read, which it reports. */
export const readableRun = (item: Item | undefined, onDamaged: OnDamaged): ScannerRun | undefined =>
  item && parseReadable(runSchema, [item], placeByKey, onDamaged)[0];

/** Reads how far scanners have run; undefined if the feed has no scanner. */
export const readScannerRun = (
  store: Store,
  { timeframe, feed }: ScannerGroup,
): Promise<ScannerRun | undefined> =>
  store.get(keys.scannerRun(timeframe, feed), runSchema, { consistent: true });

/**
 * Finds the scanners of a timeframe that run on the watermarks of a feed. Omits those that cannot be read, which it
 * reports.
 */
export const findScanners = async (
  store: Store,
  { timeframe, feed }: ScannerGroup,
  onDamaged: OnDamaged,
): Promise<Scanner[]> => {
  const first = keys.scanner(timeframe, feed, '');
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': first.pk, ':sk': first.sk },
    ConsistentRead: true,
  });
  return parseReadable(scannerSchema, items, placeByKey, onDamaged);
};

/**
 * Returns the writes that let a scanner run on the watermarks of a feed. They may be repeated.
 *
 * @param from start of the matches, if the feed has no scanner yet.
 */
export const scannerWrites = (scanner: Scanner, { timeframe, feed }: ScannerGroup, from: number): Write[] => [
  { put: { ...scanner, ...keys.scanner(timeframe, feed, scanner.deployment_id), entity: 'scanner' } },
  {
    key: keys.scannerRun(timeframe, feed),
    update:
      'SET entity = :entity, rev = if_not_exists(rev, :zero) + :one, through = if_not_exists(through, :from), ' +
      'closed = if_not_exists(closed, :from), done = if_not_exists(done, :from)',
    values: { ':entity': 'scanner_run', ':zero': 0, ':one': 1, ':from': from },
  },
];

/** Stops a scanner from running on the watermarks of a feed; no-op if it does not. */
export const removeScanner = (
  store: Store,
  { timeframe, feed }: ScannerGroup,
  deploymentId: number,
): Promise<void> => store.delete(keys.scanner(timeframe, feed, deploymentId));

/**
 * Changes how far scanners have run.
 *
 * @returns undefined if it changed since it was read.
 */
export const changeScannerRun = async (
  store: Store,
  { timeframe, feed }: ScannerGroup,
  run: ScannerRun,
  change: Partial<Omit<ScannerRun, 'rev'>>,
): Promise<ScannerRun | undefined> => {
  const next = { ...run, ...change, rev: run.rev + 1 };
  try {
    await store.put(
      { ...next, ...keys.scannerRun(timeframe, feed), entity: 'scanner_run' },
      { condition: 'rev = :rev', values: { ':rev': run.rev } },
    );
    return next;
  } catch (error) {
    if (error instanceof ConditionFailedError) return undefined;
    throw error;
  }
};

/** Removes how far scanners have run on a feed without scanners, unless a scanner has joined since it was read. */
export const removeScannerRun = async (
  store: Store,
  { timeframe, feed }: ScannerGroup,
  run: ScannerRun,
): Promise<void> => {
  try {
    await store.delete(keys.scannerRun(timeframe, feed), {
      condition: 'rev = :rev',
      values: { ':rev': run.rev },
    });
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
  }
};
