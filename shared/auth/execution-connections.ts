import * as z from 'zod';
import type { BrokerKeys } from '../channels/execution/execution-broker.ts';
import type { ExecutionConnection } from '../data/execution/connections.ts';
import type { Runtime } from '../runtime.ts';
import { createCipher } from './cipher.ts';

const keysSchema = z.object({ key_id: z.string(), secret: z.string() });

/** Binds keys to their connection, so that they cannot be moved to another one in the table. */
const contextOf = (connectionId: string) => ({ purpose: 'execution', connection: connectionId });

/** Encrypts the keys of a connection. */
export const sealKeys = (
  runtime: Pick<Runtime, 'capability' | 'random'>,
  connectionId: string,
  { keyId, secret }: BrokerKeys,
): Promise<Uint8Array<ArrayBuffer>> =>
  createCipher(runtime).seal(contextOf(connectionId), JSON.stringify({ key_id: keyId, secret }));

/** Decrypts the keys of a connection. */
export const openKeys = async (
  runtime: Pick<Runtime, 'capability' | 'random'>,
  { connection_id: id, sealed }: ExecutionConnection,
): Promise<BrokerKeys> => {
  const text = await createCipher(runtime).open(contextOf(id), sealed);
  const { key_id: keyId, secret } = keysSchema.parse(JSON.parse(text));
  return { keyId, secret };
};
