import { KeyRing } from './auth/key-ring.ts';
import { type CommonRuntime, createCommonRuntime } from './common-runtime.ts';
import { readSecrets, type Secrets } from './secrets.ts';

/** Dependencies of a function without a table: time, randomness, settings, secrets, log and metrics. */
export interface BaseRuntime extends CommonRuntime {
  readonly secrets: () => Promise<Secrets>;
  readonly keyRing: () => Promise<KeyRing>;
  /** Values of the header of requests through the distribution, instead of those of their secret. Only tests set it. */
  readonly edgeKeys?: () => Promise<readonly string[]>;
}

/** Cache time of secrets. Warm containers see a rotation after this time. */
export const SECRETS_MS = 5 * 60_000;
/** Time until a failed load is tried again while the old value is used. */
const RETRY_MS = 10_000;

/** Returns a function that loads a value again after a time, and keeps the old one while that fails. */
export const cached = <T>(load: () => Promise<T>, clock: () => Date, forMs: number): (() => Promise<T>) => {
  let value: Promise<T> | undefined;
  let held: Promise<T> | undefined;
  let loadedAt = 0;
  return () => {
    const now = clock().getTime();
    if (!value || now - loadedAt > forMs) {
      loadedAt = now;
      const loading = load();
      value = loading;
      // After a failed load, return the old value and try again later. Without an old value, the caller gets the
      // error and the next call tries again.
      const before = held;
      loading.then(
        () => {
          held = loading;
        },
        () => {
          if (value === loading) {
            value = before;
            loadedAt = before ? now - forMs + RETRY_MS : 0;
          }
        },
      );
    }
    return value;
  };
};

/** Creates the runtime of a function without a table. @throws Error for a missing or invalid setting. */
export const createBaseRuntime = (environment: Readonly<Record<string, string | undefined>>): BaseRuntime => {
  const common = createCommonRuntime(environment);
  const { clock, settings } = common;
  const secrets = cached(() => readSecrets(settings.HUB_SECRET_ID, clock()), clock, SECRETS_MS);
  const rings = new WeakMap<Secrets, KeyRing>();
  return {
    ...common,
    secrets,
    keyRing: async () => {
      const held = await secrets();
      const ring = rings.get(held) ?? new KeyRing(held.masters);
      rings.set(held, ring);
      return ring;
    },
  };
};
