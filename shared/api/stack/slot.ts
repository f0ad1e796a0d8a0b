import type { ApiEvent } from '../api-event.ts';

/** Value that one middleware leaves for later ones of the same request. */
export class Slot<T> {
  readonly #values = new WeakMap<ApiEvent, T>();
  readonly #name: string;

  /** @param name is part of the error of {@link get}. */
  constructor(name: string) {
    this.#name = name;
  }

  set(event: ApiEvent, value: T): T {
    this.#values.set(event, value);
    return value;
  }

  /** Returns undefined if the request was refused before the value was set. */
  find(event: ApiEvent): T | undefined {
    return this.#values.get(event);
  }

  /** Throws if the middleware that sets the value comes later in the stack. */
  get(event: ApiEvent): T {
    const value = this.#values.get(event);
    if (value === undefined) throw new Error(`the stack has not set ${this.#name} yet`);
    return value;
  }
}
