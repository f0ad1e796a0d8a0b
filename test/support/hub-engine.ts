import {
  type EngineMemory,
  type EngineRuntime,
  engineRuntime,
  newEngineMemory,
} from '../../functions/engine/engine-runtime.ts';
import {
  ENGINE_ACCOUNTS_DUE,
  ENGINE_COMMANDED,
  ENGINE_ENDED,
  ENGINE_REQUESTED,
  engineEvent,
} from '../../shared/data/engine/events.ts';
import type { Store } from '../../shared/data/table/store.ts';
import { takeEngineEvent } from './functions/engine.ts';
import type { TestHub } from './hub.ts';

/** A container of the hub's engine. */
export interface Worker {
  readonly engine: EngineRuntime;
  /** Events that it put on the bus. */
  readonly events: { readonly 'detail-type': string; readonly detail: unknown }[];
}

/** Returns a container of the hub's engine, by default a cold one over the hub's own store. */
export const worker = (
  { runtime }: TestHub,
  { store = runtime.store, memory = newEngineMemory() }: { store?: Store; memory?: EngineMemory } = {},
): Worker => {
  const events: Worker['events'] = [];
  const engine = engineRuntime(
    { ...runtime, store },
    {
      memory,
      putEvent: async (detailType, detail) => {
        events.push({ 'detail-type': detailType, detail });
      },
      remainingMs: () => 60_000,
    },
  );
  return { engine, events };
};

const take = async ({ engine }: Worker, type: Parameters<typeof engineEvent>[0], id: number) => {
  const message = engineEvent(type, id);
  if (message.kind !== 'domain_event') throw new Error('not an event');
  await takeEngineEvent(engine, { 'detail-type': message.detail_type, detail: message.detail });
};

/** Starts a deployment. */
export const startEngine = (on: Worker, id: number): Promise<void> => take(on, ENGINE_REQUESTED, id);

/** Lets the accounts of a deployment follow its commands. */
export const commandEngine = (on: Worker, id: number): Promise<void> => take(on, ENGINE_COMMANDED, id);

/** Serves the accounts of a deployment with real orders before their next bar. */
export const serveEngine = (on: Worker, id: number): Promise<void> => take(on, ENGINE_ACCOUNTS_DUE, id);

/** Ends the work for a deployment. */
export const endEngine = (on: Worker, id: number): Promise<void> => take(on, ENGINE_ENDED, id);
