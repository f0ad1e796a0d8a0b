/**
 * Functions that apply events and deliver messages, in a process that may be killed at any moment. Started by
 * fork with the environment of the functions, it answers every completed invocation.
 */
import * as z from 'zod';
import { deliverBatch } from '../../functions/deliveries/handler.ts';
import { takeEvent } from '../../functions/execution-events/take-event.ts';
import { BookMemory } from '../../shared/data/books/book-memory.ts';
import { createRuntime } from '../../shared/runtime.ts';

const environment = z.object({ KILL_CLOCK: z.coerce.number() }).parse(process.env);

const invocation = z.object({
  id: z.number(),
  name: z.enum(['execution-events', 'deliveries']),
  event: z.unknown(),
});

const text = z.object({ S: z.string() });

const streamEvent = z.object({
  Records: z.array(
    z.object({
      dynamodb: z.object({
        SequenceNumber: z.string(),
        NewImage: z.object({
          delivery_id: text,
          attempts: z.object({ N: z.string() }),
          message: z.object({ M: z.object({ kind: text, user_id: text }).or(z.object({ kind: text })) }),
        }),
      }),
    }),
  ),
});

const memory = new BookMemory();
// It goes on: a millisecond has only so many ids.
const clock = (): Date => new Date(environment.KILL_CLOCK + performance.now());
const runtime = { ...createRuntime(process.env), clock };

const run = ({ name, event }: z.output<typeof invocation>): Promise<unknown> =>
  name === 'deliveries' ? deliverBatch(runtime, streamEvent.parse(event)) : takeEvent(runtime, event, memory);

process.on('message', async (message) => {
  const invoked = invocation.parse(message);
  try {
    process.send?.({ id: invoked.id, result: (await run(invoked)) ?? null });
  } catch (error) {
    process.send?.({ id: invoked.id, error: String(error) });
  }
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
