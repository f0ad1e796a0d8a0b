import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** Queue for failures of an asynchronous consumer. Keeps them for 14 days, the maximum of SQS. */
export class DeadLetterQueue extends Queue {
  /** @param options `fifo` for the dead letters of a FIFO queue, which must be of the same kind. */
  constructor(scope: Construct, id: string, { fifo = false }: { readonly fifo?: boolean } = {}) {
    super(scope, id, {
      ...(fifo && { fifo }),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'This is a dead-letter queue of a queue, a stream, a schedule or a bus. The rule does not recognise these.',
    });
  }
}
