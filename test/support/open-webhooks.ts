import { afterAll } from '@jest/globals';
import { startHub, type TestHub } from './hub.ts';
import { startKms } from './kms.ts';
import { startUpstream, type Upstream } from './upstream.ts';

/** Answers a delivery as a receiver that takes it, and a challenge with its text. */
export const accept: Upstream['answer'] = ({ body }, response) => {
  const { type, data } = JSON.parse(body);
  if (type === 'webhook.challenge') response.writeHead(200).end(data.challenge);
  else response.writeHead(204).end();
};

/**
 * Starts a hub and a receiver of its webhooks for the tests of a file, and closes them after these. Await it at the top
 * of the file.
 *
 * @param furnish writes the records that the tests need.
 */
export const openWebhooks = async (
  furnish: (hub: TestHub) => Promise<void>,
): Promise<{ readonly hub: TestHub; readonly receiver: Upstream }> => {
  const environment = { ...process.env };
  const kms = await startKms();
  const hub = (await startHub()).with({ HUB_WEBHOOK_REACH: 'loopback' });
  const receiver = await startUpstream(accept);
  afterAll(async () => {
    process.env = environment;
    await receiver.close();
    await hub.close();
    await kms.close();
  });
  await furnish(hub);
  return { hub, receiver };
};
