import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { Context } from 'aws-lambda';
import * as z from 'zod';

const start = z.object({ file: z.string(), name: z.string(), memoryMb: z.number() }).parse(workerData);
const invocation = z.object({ id: z.string(), event: z.string(), deadline: z.number() });

type Handler = (event: unknown, context: Context) => unknown;
const isHandler = (value: unknown): value is Handler => typeof value === 'function';

const port = parentPort;
if (!port) throw new Error('the function worker runs in a thread');

// A bundle that does not load ends the thread, and with it the waiting invocations.
const bundle: unknown = await import(pathToFileURL(start.file).href);
const handler = z
  .object({ handler: z.custom<Handler>(isHandler, 'no handler is exported') })
  .parse(bundle).handler;

const contextOf = (deadline: number): Context => {
  const requestId = randomUUID();
  return {
    awsRequestId: requestId,
    functionName: start.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${start.name}`,
    memoryLimitInMB: String(start.memoryMb),
    logGroupName: `/aws/lambda/${start.name}`,
    logStreamName: requestId,
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
};

port.on('message', async (message: unknown) => {
  const { id, event, deadline } = invocation.parse(message);
  try {
    const result = await handler(JSON.parse(event), contextOf(deadline));
    port.postMessage({ id, result: JSON.stringify(result ?? null) });
  } catch (error) {
    port.postMessage({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
port.postMessage({ ready: true });
