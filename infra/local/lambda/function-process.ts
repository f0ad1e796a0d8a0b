import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { roleOf } from '../../roles/role.ts';
import { enforceRole } from './enforce-role.ts';
import { lambdaContext } from './lambda-context.ts';

const start = z
  .tuple([z.string(), z.string(), z.coerce.number(), z.string()])
  .transform(([file, name, memoryMb, role]) => ({ file, name, memoryMb, role }))
  .parse(process.argv.slice(2));
const invocation = z.object({ id: z.string(), event: z.string(), deadline: z.number() });

type Handler = (event: unknown, context: Context) => unknown;
const isHandler = (value: unknown): value is Handler => typeof value === 'function';

/** Removes the stack, as frames of a bundle are not useful. */
const thrownOf = (error: unknown) => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { name, message };
};

/** Sends a message to the service. Resolves when it has left this process. */
const send = (message: object): Promise<void> =>
  new Promise((resolve, reject) => {
    if (!process.send) throw new Error('a function process is started by the service');
    process.send(message, undefined, {}, (error) => (error ? reject(error) : resolve()));
  });

// The channel closes when the service ends in any way, including SIGKILL.
process.on('disconnect', () => process.exit());
process.on('uncaughtException', async (error) => {
  await send({ failed: String(error) });
  process.exit(1);
});

const statement = z.object({
  actions: z.array(z.string()),
  resources: z.array(z.string()).exactOptional(),
  notResources: z.array(z.string()).exactOptional(),
  conditions: z.record(z.string(), z.record(z.string(), z.string())).exactOptional(),
});
enforceRole({
  role: roleOf(z.array(statement).parse(JSON.parse(start.role))),
  functionName: start.name,
  onDenied: (denied) => void send({ denied }),
});

const bundle: unknown = await import(pathToFileURL(start.file).href);
const handler = z
  .object({ handler: z.custom<Handler>(isHandler, 'no handler is exported') })
  .parse(bundle).handler;

process.on('message', async (message: unknown) => {
  const { id, event, deadline } = invocation.parse(message);
  try {
    const result = await handler(JSON.parse(event), lambdaContext(start.name, start.memoryMb, deadline));
    await send({ id, result: JSON.stringify(result ?? null) });
  } catch (error) {
    await send({ id, error: thrownOf(error) });
  }
});
await send({ ready: true });
