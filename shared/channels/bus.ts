import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { awsClient } from '../aws-client.ts';
import { HUB_SOURCE } from '../domain/deployments/event-source.ts';
import type { Runtime } from '../runtime.ts';

let client: EventBridgeClient | undefined;

interface OutgoingEvent {
  readonly detailType: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** The same for every attempt, so that receivers can detect a repeat. */
  readonly deliveryId: string;
}

/** Puts an event on the bus. @throws Error of the SDK, or if the bus accepts the call but not the event. */
export const putEvent = async (
  runtime: Runtime,
  { detailType, detail, deliveryId }: OutgoingEvent,
): Promise<void> => {
  client ??= awsClient(EventBridgeClient, 'bus');
  const { FailedEntryCount: failed = 0 } = await client.send(
    new PutEventsCommand({
      Entries: [
        {
          EventBusName: runtime.capability('bus').HUB_BUS,
          Source: HUB_SOURCE,
          DetailType: detailType,
          Detail: JSON.stringify({ ...detail, delivery_id: deliveryId }),
        },
      ],
    }),
  );
  if (failed > 0) throw new Error('the bus did not accept the event');
};
