import { BookMemory } from '../../shared/data/books/book-memory.ts';
import { InstrumentMemory } from '../../shared/data/instruments/instrument-memory.ts';
import { ProgramMemory } from '../../shared/lifecycle/engine-accounts/program-memory.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { ScannedMemory } from './scan/scanned-memory.ts';

/** Time that a worker needs to finish what it has begun, in milliseconds. */
const RESERVE_MS = 15_000;

/** Caches of a container. */
export interface EngineMemory {
  readonly programs: ProgramMemory;
  readonly books: BookMemory;
  readonly instruments: InstrumentMemory;
  readonly scanned: ScannedMemory;
}

export const newEngineMemory = (): EngineMemory => ({
  programs: new ProgramMemory(),
  books: new BookMemory(),
  instruments: new InstrumentMemory(),
  scanned: new ScannedMemory(),
});

/** Dependencies of the hub's engine. */
export interface EngineRuntime extends Runtime {
  readonly memory: EngineMemory;
  /** True while a series is settled before a split: accounts cannot see its bars later. */
  readonly isBeforeSplit?: true;
  /** Tells whether there is time for another step of a few seconds. */
  readonly hasTime: () => boolean;
  /** Puts an event of the hub on the bus. */
  readonly putEvent: (detailType: string, detail: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** Returns the dependencies of one run of the function. */
export const engineRuntime = (
  runtime: Runtime,
  own: Pick<EngineRuntime, 'memory' | 'putEvent'> & { readonly remainingMs: () => number },
): EngineRuntime => ({
  ...runtime,
  memory: own.memory,
  putEvent: own.putEvent,
  hasTime: () => own.remainingMs() > RESERVE_MS,
});
