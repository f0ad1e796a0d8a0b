/**
 * Functions that apply events, deliver messages and take bars, in a process that may be killed at any moment. Started by
 * fork with the environment of the functions, it answers every completed invocation.
 */
import * as z from 'zod';
import { engineRuntime, newEngineMemory } from '../../functions/engine/engine-runtime.ts';
import { takeEngineEvent } from '../../functions/engine/take-event.ts';
import { createRelay } from '../../functions/relay/relay.ts';
import { BookMemory } from '../../shared/data/books/book-memory.ts';
import { deliverRecords } from '../../shared/deliveries/batch.ts';
import { deliver } from '../../shared/deliveries/main/deliver-main.ts';
import { HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import { takeEvent } from '../../shared/lifecycle/reports/take-report.ts';
import { createBaseRuntime, createRuntime } from '../../shared/runtime.ts';

const environment = z.object({ KILL_CLOCK: z.coerce.number() }).parse(process.env);

const invocation = z.object({
  id: z.number(),
  name: z.enum(['execution-events', 'relay', 'deliver-main', 'engine']),
  event: z.unknown(),
});

const text = z.object({ S: z.string() });

const streamEvent = z.object({
  Records: z.array(
    z.object({
      dynamodb: z.object({
        SequenceNumber: z.string(),
        ApproximateCreationDateTime: z.number(),
        NewImage: z.object({
          entity: text,
          delivery_id: text,
          attempts: z.object({ N: z.string() }),
          message: z.object({ M: z.object({ kind: text, user_id: text }).or(z.object({ kind: text })) }),
        }),
      }),
    }),
  ),
});

const queueEvent = z.object({ Records: z.array(z.object({ messageId: z.string(), body: z.string() })) });

const memory = new BookMemory();
const engineMemory = newEngineMemory();
// It goes on: a millisecond has only so many ids.
const clock = (): Date => new Date(environment.KILL_CLOCK + performance.now());
const runtime = { ...createRuntime(process.env), clock };

// Its clock is the stream's.
const relay = createRelay(createBaseRuntime(process.env));

const engine = engineRuntime(runtime, {
  memory: engineMemory,
  putEvent: async (detailType, detail) => {
    process.send?.({ event: { 'detail-type': detailType, source: HUB_SOURCE, detail } });
  },
  remainingMs: () => 60_000,
});

const run = ({ name, event }: z.output<typeof invocation>): Promise<unknown> => {
  switch (name) {
    case 'relay':
      return relay(streamEvent.parse(event));
    case 'deliver-main':
      return deliverRecords(deliver, runtime, queueEvent.parse(event));
    case 'engine':
      return takeEngineEvent(engine, event);
    default:
      return takeEvent(runtime, event, { memory });
  }
};

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
