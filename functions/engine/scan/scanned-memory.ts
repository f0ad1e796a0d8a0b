import { asScanned, type ScannedInstrument } from '../../../shared/data/engine/scanners.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Store } from '../../../shared/data/table/store.ts';

/** Scanners that a container keeps: a few kilobytes each. */
const MAX_SCANNERS = 1000;

/** Instruments of a scanner by their symbol. */
export type InstrumentsBySymbol = ReadonlyMap<string, ScannedInstrument>;

/** Keeps the instruments of scanners. They never change. */
export class ScannedMemory {
  readonly #known = new Map<number, InstrumentsBySymbol>();

  /** Returns the instruments of scanners in the order of `ids`; none for one that has not started. One call per 100. */
  async find(store: Store, ids: readonly number[]): Promise<InstrumentsBySymbol[]> {
    const missing = ids.filter((id) => !this.#known.has(id));
    const items = await store.getMany(missing.map(keys.scannedInstruments), { consistent: true });
    const found = new Map<number, InstrumentsBySymbol>();
    for (const [index, id] of missing.entries()) {
      const scanned = asScanned(items[index]);
      if (scanned) found.set(id, new Map(scanned.instruments.map((one) => [one.symbol, one])));
    }
    const all = ids.map((id) => this.#known.get(id) ?? found.get(id) ?? new Map());
    if (this.#known.size + found.size > MAX_SCANNERS) this.#known.clear();
    for (const [id, instruments] of found) this.#known.set(id, instruments);
    return all;
  }
}
