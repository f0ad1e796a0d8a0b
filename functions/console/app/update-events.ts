import type { GetEventsOutput } from '../../../infra/client/package/src/index.ts';

/** Change event of the user. */
export type UpdateEvent = GetEventsOutput['items'][number];

type Listener = (event: UpdateEvent) => void;

const listeners = new Set<Listener>();

/** Calls a listener with every change event, until the returned function is called. */
export const onUpdate = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

const resyncs = new Set<() => void>();

/** Calls a listener when events are lost and everything is to be read again, until the returned function is called. */
export const onResync = (listener: () => void): (() => void) => {
  resyncs.add(listener);
  return () => {
    resyncs.delete(listener);
  };
};

/** Lets everything that follows events be read again. */
export const publishResync = (): void => {
  for (const listener of [...resyncs]) listener();
};

/** Passes an event to all listeners. */
export const publishUpdate = (event: UpdateEvent): void => {
  for (const listener of [...listeners]) listener(event);
};
