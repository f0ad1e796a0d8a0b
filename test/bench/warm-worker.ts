/**
 * A warm function in its own process: invokes a bundle's handler a number of times, one after the
 * other like Lambda, and reports each duration. Argument: the bundle's address.
 */
import type { Context } from 'aws-lambda';

/** Request of the parent process. */
export interface Order {
  readonly event: unknown;
  readonly context: Context;
  readonly times: number;
  readonly status: number;
}

/** Answer to the parent process: microseconds per invocation, of CPU in all threads and of time. */
export interface Took {
  readonly cpuUs: number;
  readonly wallUs: number;
}

interface Bundle {
  readonly handler: (event: unknown, context: Context) => Promise<{ readonly statusCode: number }>;
}

const { handler }: Bundle = await import(process.argv[2] ?? '');

process.on('message', async ({ event, context, times, status }: Order) => {
  // Parses each event like Lambda, as a handler may change it.
  const events = Array.from({ length: times }, (): unknown => structuredClone(event));
  const before = process.cpuUsage();
  const started = performance.now();
  for (const one of events) {
    const { statusCode } = await handler(one, context);
    if (statusCode !== status) throw new Error(`answered ${statusCode} instead of ${status}`);
  }
  const wallUs = ((performance.now() - started) * 1000) / times;
  const { user, system } = process.cpuUsage(before);
  process.send?.({ cpuUs: (user + system) / times, wallUs } satisfies Took);
});

process.send?.('ready');
