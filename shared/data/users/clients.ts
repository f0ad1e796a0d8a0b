import * as z from 'zod';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';

const clientSchema = z.object({ name: z.string(), key_fingerprint: z.string() });

export type Client = z.output<typeof clientSchema>;

/** Reads the client application with this key fingerprint. */
export const findClient = (store: Store, fingerprint: string): Promise<Client | undefined> =>
  store.get(keys.client(fingerprint), clientSchema);

/** Returns the write that registers a client application by its key fingerprint. */
export const clientWrite = (name: string, fingerprint: string): Write => ({
  key: keys.client(fingerprint),
  set: { entity: 'client', name, key_fingerprint: fingerprint },
});
