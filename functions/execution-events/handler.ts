import { BookMemory } from '../../shared/data/books/book-memory.ts';
import { InstrumentMemory } from '../../shared/data/instruments/instrument-memory.ts';
import { createSecretlessRuntime, type Runtime } from '../../shared/runtime.ts';
import { takeOrKeepEvent } from './keep-event.ts';

let runtime: Runtime | undefined;
const memory = new BookMemory();
const instruments = new InstrumentMemory();

/** Takes one event of the bus. An error sends the event to the dead letters, with the reason. */
export const handler = async (event: unknown): Promise<void> => {
  runtime ??= createSecretlessRuntime(process.env);
  await takeOrKeepEvent(runtime, event, { memory, instruments });
};
