import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { setting } from './browser.ts';

const SOURCE = 'browser-tests';

/** Puts events of an engine on the service's bus, in their order. */
export const putEvents = async (
  events: readonly { readonly type: string; readonly detail: object }[],
): Promise<void> => {
  const client = new EventBridgeClient({
    endpoint: setting('HUB_BUS_URL'),
    region: 'eu-west-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    const { FailedEntryCount } = await client.send(
      new PutEventsCommand({
        Entries: events.map(({ type, detail }) => ({
          EventBusName: 'strategy-hub-local',
          Source: SOURCE,
          DetailType: type,
          Detail: JSON.stringify({ version: 1, occurred_at: new Date().toISOString(), ...detail }),
        })),
      }),
    );
    if (FailedEntryCount) throw new Error(`${FailedEntryCount} events were refused`);
  } finally {
    client.destroy();
  }
};
