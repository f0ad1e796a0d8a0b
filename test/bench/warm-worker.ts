/**
 * A function that stays warm, in a process of its own: invokes a bundle's handler so many times, one after the
 * other as Lambda does, and tells what each time took. Argument: the bundle's address.
 */
import type { Context } from 'aws-lambda';

/** What the parent asks for. */
export interface Order {
  readonly event: unknown;
  readonly context: Context;
  readonly times: number;
  readonly status: number;
}

/** What it is told: microseconds per invocation, of CPU in all threads and of time. */
export interface Took {
  readonly cpuUs: number;
  readonly wallUs: number;
}

interface Bundle {
  readonly handler: (event: unknown, context: Context) => Promise<{ readonly statusCode: number }>;
}

const { handler }: Bundle = await import(process.argv[2] ?? '');

process.on('message', async ({ event, context, times, status }: Order) => {
  // A handler may change its event, and Lambda parses each one before it begins.
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
