import type { _Record, AttributeValue } from '@aws-sdk/client-dynamodb-streams';
import type { StreamEventRecord } from './stream-batches.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Converts attribute values to JSON. The SDK returns binary values as bytes, an event holds base64. */
const attributeJson = (value: AttributeValue): unknown => {
  if (value.B) return { B: base64(value.B) };
  if (value.BS) return { BS: value.BS.map(base64) };
  if (value.L) return { L: value.L.map(attributeJson) };
  if (value.M) return { M: imageJson(value.M) };
  return value;
};

const imageJson = (image: Readonly<Record<string, AttributeValue>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, attributeJson(value)]));

/** Converts a record of the stream to the format that Lambda passes to a function. */
export const toEventRecord = (record: _Record, streamArn: string): StreamEventRecord => {
  const { ApproximateCreationDateTime, Keys, NewImage, SequenceNumber, ...rest } = record.dynamodb ?? {};
  return {
    eventID: record.eventID ?? '',
    eventName: record.eventName ?? '',
    eventVersion: record.eventVersion ?? '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: record.awsRegion ?? '',
    dynamodb: {
      ...rest,
      SequenceNumber: SequenceNumber ?? '',
      ...(ApproximateCreationDateTime && {
        ApproximateCreationDateTime: Math.floor(ApproximateCreationDateTime.getTime() / 1000),
      }),
      ...(Keys && { Keys: imageJson(Keys) }),
      ...(NewImage && { NewImage: imageJson(NewImage) }),
    },
    eventSourceARN: streamArn,
  };
};

/** Returns the entity of the item in a record. */
export const entityOf = (record: _Record): string | undefined => record.dynamodb?.NewImage?.entity?.S;
