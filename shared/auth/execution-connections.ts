import type { AlpacaKeys } from '../channels/execution/alpaca.ts';
import type { Runtime } from '../runtime.ts';
import { createCipher } from './cipher.ts';

/** Binds keys to their connection, so that they cannot be moved to another one in the table. */
const contextOf = (connectionId: string) => ({ purpose: 'execution', connection: connectionId });

/** Encrypts the keys of a connection. */
export const sealKeys = (
  runtime: Pick<Runtime, 'capability' | 'random'>,
  connectionId: string,
  { keyId, secret }: AlpacaKeys,
): Promise<Uint8Array<ArrayBuffer>> =>
  createCipher(runtime).seal(contextOf(connectionId), JSON.stringify({ key_id: keyId, secret }));
