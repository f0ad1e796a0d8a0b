import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  DeduplicationScope,
  FifoThroughputLimit,
  type IQueue,
  Queue,
  QueueEncryption,
} from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueSource } from '../../functions/declaration.ts';
import { type RelayedLane, runsInTurn } from '../../shared/data/outbox/lanes.ts';

interface LaneQueueProps {
  readonly source: QueueSource;
  /** Time limit of the function that takes the messages. */
  readonly timeoutS: number;
  readonly deadLetters: IQueue;
}

/** Recommended by Lambda: a message must not come back while the function may still be throttled or running. */
const VISIBILITY_FACTOR = 6;

/** High throughput mode: the limit of calls holds for a group, not for the queue. */
const FIFO = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
} as const;

/** Queue of a lane of the outbox. */
export class LaneQueue extends Construct {
  readonly lane: RelayedLane;
  readonly queue: Queue;
  readonly deadLetters: IQueue;

  constructor(scope: Construct, id: string, { source, timeoutS, deadLetters }: LaneQueueProps) {
    super(scope, id);
    this.lane = source.lane;
    const fifo = runsInTurn(source.lane);
    this.deadLetters = deadLetters;
    this.queue = new Queue(this, 'Queue', {
      ...(fifo && FIFO),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(VISIBILITY_FACTOR * timeoutS),
      // Older messages are useless: the sweeping job has attended to them long before.
      retentionPeriod: Duration.days(1),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: source.maxReceives },
      // The messages themselves are in the table.
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}
