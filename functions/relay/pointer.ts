import { hash } from 'node:crypto';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import type { LaneMessage } from '../../shared/data/outbox/lanes.ts';
import { type RelayedLane, relayedLaneOf, runsInTurn } from '../../shared/data/outbox/lanes.ts';

type StreamRecord = DynamoDBStreamEvent['Records'][number];
type Image = NonNullable<NonNullable<StreamRecord['dynamodb']>['NewImage']>;

/** A new message of the outbox: its position in the stream, and how it travels. */
export interface Pointer {
  readonly sequence: string;
  /** Time of the write, epoch milliseconds; the stream rounds it down to a second. */
  readonly writtenAt: number;
  readonly lane: RelayedLane;
  readonly message: LaneMessage;
  /** Group on the queue. */
  readonly group: string | undefined;
}

/** Kinds of messages that belong to their user: they share capacity, or run in turn, with the user's others. */
const OF_USER: readonly (string | undefined)[] = [
  'live_entries',
  'device_push',
  'order_request',
  'notification_mail',
];
/** Kinds that walk over the deployments of a user or a broker: one walk runs in turn and leaves room for other messages. */
const WALKS: readonly (string | undefined)[] = ['change_listeners', 'risk_limits'];

const GROUP_LENGTH = 22;

/** Hashes a group, as queues do not encrypt it and it may be a `user_id`. */
const hashed = (group: string): string => hash('sha256', group, 'base64url').slice(0, GROUP_LENGTH);

const groupOf = ({ group, message }: Image): string | undefined => {
  const { kind, user_id, broker_id } = message?.M ?? {};
  const own = group?.S ?? (OF_USER.includes(kind?.S) ? user_id?.S : undefined);
  if (own !== undefined) return hashed(own);
  return WALKS.includes(kind?.S) ? hashed(`${kind?.S} ${broker_id?.N ?? user_id?.S}`) : undefined;
};

/** Reads the message of a record; undefined if the record is no message of a lane with a queue. */
export const pointerOf = ({ dynamodb }: StreamRecord): Pointer | undefined => {
  const { NewImage: image, SequenceNumber: sequence, ApproximateCreationDateTime: seconds } = dynamodb ?? {};
  const lane = relayedLaneOf(image?.entity?.S);
  const id = image?.delivery_id?.S;
  if (!image || !lane || id === undefined || sequence === undefined) return undefined;
  const group = groupOf(image);
  return {
    sequence,
    writtenAt: (seconds ?? 0) * 1000,
    lane,
    message: {
      delivery_id: id,
      attempts: Number(image.attempts?.N ?? 0),
      ...(group !== undefined && runsInTurn(lane) && { group }),
    },
    group,
  };
};
