import { instrumentSchema } from '../../domain/instruments/instrument-records.ts';
import type { AssetClass } from '../../domain/instruments/instruments.ts';
import { decimal, toText } from '../../domain/money.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import { TimedMemory } from '../table/timed-memory.ts';

/** The cached part of an instrument. */
export interface Contract {
  readonly exchange: string;
  readonly quote_currency: string;
  readonly asset_class: AssetClass;
  /** Units per lot, decimal text. */
  readonly contract_size: string;
}

const MAX_SYMBOLS = 1_000;
const KNOWN_MS = 10 * 60_000;
/** Shorter for unknown symbols: one may be added to the catalogue at any time. */
const UNKNOWN_MS = 60_000;

/** Caches instruments and unknown symbols, so that events on one symbol do not read it again each time. */
export class InstrumentMemory {
  readonly #known = new TimedMemory<Contract | undefined>(MAX_SYMBOLS);

  /** Finds the instrument with exactly this symbol; undefined where the catalogue has none. */
  find(store: Store, symbol: string, now: Date): Promise<Contract | undefined> {
    const read = async (): Promise<Contract | undefined> => {
      const instrument = await store.get(keys.instrument(symbol), instrumentSchema);
      return (
        instrument && {
          exchange: instrument.exchange,
          quote_currency: instrument.quote_currency,
          asset_class: instrument.asset_class,
          contract_size: toText(decimal(instrument.contract_size)),
        }
      );
    };
    return this.#known.find(symbol, now, read, (contract) => (contract ? KNOWN_MS : UNKNOWN_MS));
  }
}
