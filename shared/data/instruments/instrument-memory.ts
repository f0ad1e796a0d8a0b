import { instrumentSchema } from '../../domain/instruments/instrument-records.ts';
import type { AssetClass } from '../../domain/instruments/instruments.ts';
import { decimal, toText } from '../../domain/money.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';

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
  readonly #known = new Map<string, { readonly contract: Contract | undefined; readonly until: number }>();

  /** Finds the instrument with exactly this symbol; undefined where the catalogue has none. */
  async find(store: Store, symbol: string, now: Date): Promise<Contract | undefined> {
    const found = this.#known.get(symbol);
    if (found && found.until > now.getTime()) return found.contract;
    const instrument = await store.get(keys.instrument(symbol), instrumentSchema);
    const contract = instrument && {
      exchange: instrument.exchange,
      quote_currency: instrument.quote_currency,
      asset_class: instrument.asset_class,
      contract_size: toText(decimal(instrument.contract_size)),
    };
    this.#known.delete(symbol);
    this.#known.set(symbol, { contract, until: now.getTime() + (contract ? KNOWN_MS : UNKNOWN_MS) });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_SYMBOLS && oldest !== undefined) this.#known.delete(oldest);
    return contract;
  }
}
