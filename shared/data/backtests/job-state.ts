import * as z from 'zod';
import { candleFactsSchema } from '../../domain/engine/backtest/candle-facts.ts';
import { tradeSchema } from '../../domain/engine/backtest/report.ts';
import { keys } from '../table/keys.ts';
import { pack, unpack, unpackedAt } from '../table/packed.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

/** Bytes of an item. */
const PART_BYTES = 350_000;
/** A transaction takes 4 MB. */
const MAX_PARTS = 10;

const jobStateSchema = z.object({
  /** Start of the first month whose candles are not read yet. */
  next: z.number(),
  facts: z.array(candleFactsSchema),
  /** Number of splits of the series of each leg: another one restates the candles that were read. Absent: none. */
  splits: z.array(z.int()).optional(),
  /** Work of the bars and the smaller bars that were read. */
  ran: z.number(),
  /** Trades in full chunks, and trades that do not fill one yet. */
  stored: z.int(),
  waiting: z.array(tradeSchema),
  /** Saved run of the engine. */
  run: z.string(),
});

/** State of a backtest between two slices. */
export type JobState = z.output<typeof jobStateSchema>;

const partSchema = z.object({ bytes: z.instanceof(Uint8Array) });

/** The state of a run does not fit one transaction. */
export class StateTooLargeError extends Error {
  constructor() {
    super('the state of a backtest is too large to be saved');
    this.name = 'StateTooLargeError';
  }
}

/**
 * Returns the writes of a state, one per part.
 *
 * @param parts number of parts of the state before; surplus ones become empty.
 * @throws StateTooLargeError
 */
export const stateWrites = (backtestId: number, state: JobState, parts: number): Write[] => {
  const bytes = pack(state);
  const count = Math.max(parts, Math.ceil(bytes.length / PART_BYTES));
  if (count > MAX_PARTS) throw new StateTooLargeError();
  return Array.from({ length: count }, (_, part) => ({
    key: keys.backtestState(backtestId, part),
    set: {
      entity: 'backtest_state',
      bytes: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    },
  }));
};

/** Returns the writes that remove a state. */
export const stateRemovals = (backtestId: number, parts: number): Write[] =>
  Array.from({ length: parts }, (_, part) => ({ delete: keys.backtestState(backtestId, part) }));

/** Reads a state; undefined if nothing was saved. */
export const readState = async (
  store: Store,
  backtestId: number,
  parts: number,
): Promise<JobState | undefined> => {
  if (parts === 0) return undefined;
  const wanted = Array.from({ length: parts }, (_, part) => keys.backtestState(backtestId, part));
  const items = await store.getMany(wanted, { consistent: true });
  const bytes = items.map((item) => (item ? parseItem(partSchema, item).bytes : new Uint8Array()));
  return unpackedAt('bytes', () => unpack(jobStateSchema, Buffer.concat(bytes)));
};
