import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueSource } from '../../functions/declaration.ts';
import type { HubFunction } from './hub-function.ts';

interface QueueConsumerProps {
  readonly consumer: HubFunction;
  readonly queue: IQueue;
  readonly source: QueueSource;
  /** Largest number of batches at a time. */
  readonly maxConcurrency: number | undefined;
}

/** Delivers the messages of a lane to a function. */
export class QueueConsumer extends Construct {
  constructor(scope: Construct, id: string, { consumer, queue, source, maxConcurrency }: QueueConsumerProps) {
    super(scope, id);
    const { role, alias } = consumer;
    role.addToPolicy(
      new PolicyStatement({
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        resources: [queue.queueArn],
      }),
    );
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: alias,
      eventSourceArn: queue.queueArn,
      batchSize: source.batchSize,
      reportBatchItemFailures: true,
      // Without this limit, Lambda takes more batches than the reserved concurrency runs. Throttled ones would go to
      // the dead letters in the end.
      ...(maxConcurrency !== undefined && { maxConcurrency }),
    });
    // Lambda checks the permissions of the role when it creates the mapping.
    mapping.node.addDependency(role);
  }
}
