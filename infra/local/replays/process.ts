import { setTimeout as wait } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { listReplays } from '../../../shared/data/deployments/replays.ts';
import { createRuntime } from '../../../shared/runtime.ts';
import { LOCAL } from '../lambda/environment.ts';
import { withoutLog } from '../services/clients.ts';
import { runReplay } from './run-replay.ts';

/** Feeds all replays of the service, and ends when there are none. */
const POLL_MS = 1000;
/** Pause after a failure. */
const RETRY_MS = 5000;

const ending = new AbortController();
process.on('disconnect', () => ending.abort());

const { signal } = ending;
const runtime = createRuntime(process.env);
const client = withoutLog(new EventBridgeClient({}));
const running = new Map<number, Promise<void>>();

const pause = (ms: number): Promise<void> => wait(ms, undefined, { signal }).catch(() => undefined);

const run = async (deploymentId: number): Promise<void> => {
  try {
    await runReplay({ runtime, client, bus: LOCAL.bus, signal }, deploymentId);
  } catch (error) {
    process.send?.({ failed: `The replay of deployment ${deploymentId} failed: ${String(error)}` });
    await pause(RETRY_MS);
  }
};

while (!signal.aborted) {
  const listed = await listReplays(runtime.store);
  for (const id of listed) {
    if (!running.has(id))
      running.set(
        id,
        run(id).finally(() => running.delete(id)),
      );
  }
  if (listed.length === 0 && running.size === 0) break;
  await pause(POLL_MS);
}
await Promise.all(running.values());
client.destroy();
if (process.connected) process.disconnect();
