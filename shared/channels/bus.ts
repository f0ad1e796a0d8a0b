import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { awsClient } from '../aws-client.ts';
import { HUB_SOURCE } from '../domain/deployments/event-source.ts';
import { shownNumbers } from '../domain/digits.ts';
import type { Runtime } from '../runtime.ts';

let client: EventBridgeClient | undefined;

interface OutgoingEvent {
  readonly detailType: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** The same for every attempt, so that receivers can detect a repeat. */
  readonly deliveryId: string;
}

const detailText = (detail: object): string => JSON.stringify(shownNumbers(detail));

/** Puts an event on the bus. @throws Error of the SDK, or if the bus accepts the call but not the event. */
export const putEvent = (
  runtime: Runtime,
  { detailType, detail, deliveryId }: OutgoingEvent,
): Promise<void> =>
  putAll(runtime.capability('bus').HUB_BUS, HUB_SOURCE, [
    { detailType, text: detailText({ ...detail, delivery_id: deliveryId }) },
  ]);

/** Limits of a call of PutEvents. The size leaves room for the names of source and type. */
const MAX_ENTRIES = 10;
const MAX_BYTES = 250 * 1024;

interface Entry {
  readonly detailType: string;
  /** JSON of the detail. */
  readonly text: string;
}

const putAll = async (bus: string, source: string, entries: readonly Entry[]): Promise<void> => {
  client ??= awsClient(EventBridgeClient, 'bus');
  const { FailedEntryCount: failed = 0 } = await client.send(
    new PutEventsCommand({
      Entries: entries.map(({ detailType, text }) => ({
        EventBusName: bus,
        Source: source,
        DetailType: detailType,
        Detail: text,
      })),
    }),
  );
  if (failed > 0) throw new Error('the bus did not accept the event');
};

/** Divides entries into calls. */
const callsOf = (entries: readonly Entry[]): Entry[][] => {
  const calls: Entry[][] = [];
  let size = 0;
  for (const entry of entries) {
    const bytes = Buffer.byteLength(entry.text);
    const call = calls.at(-1);
    if (call && call.length < MAX_ENTRIES && size + bytes <= MAX_BYTES) {
      call.push(entry);
      size += bytes;
    } else {
      calls.push([entry]);
      size = bytes;
    }
  }
  return calls;
};

/**
 * Puts events on the bus that a later run repeats if they are lost, with as few calls as the limits allow.
 *
 * @throws Error of the SDK, or if the bus does not accept an event. Others may have been accepted.
 */
export const putEvents = async (
  runtime: Runtime,
  events: readonly Omit<OutgoingEvent, 'deliveryId'>[],
): Promise<void> => {
  const entries = events.map(({ detailType, detail }) => ({ detailType, text: detailText(detail) }));
  const bus = runtime.capability('bus').HUB_BUS;
  for (const call of callsOf(entries)) await putAll(bus, HUB_SOURCE, call);
};

/**
 * Puts a report of an execution adapter on the bus, under the adapter's own source.
 *
 * @throws Error of the SDK, or if the bus does not accept the event.
 */
export const putReport = (
  { capability }: Pick<Runtime, 'capability'>,
  source: string,
  { detailType, detail }: Omit<OutgoingEvent, 'deliveryId'>,
): Promise<void> => putAll(capability('reports').HUB_BUS, source, [{ detailType, text: detailText(detail) }]);
