import { Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StreamSource } from '../../functions/declaration.ts';
import type { HubFunction } from './hub-function.ts';
import type { HubTable } from './hub-table.ts';

interface StreamConsumerProps {
  readonly consumer: HubFunction;
  readonly table: HubTable;
  readonly source: StreamSource;
  /** Queue for the positions of records that were given up. */
  readonly deadLetters: IQueue;
}

/** Delivers new items of the table to a function. */
export class StreamConsumer extends Construct {
  constructor(scope: Construct, id: string, { consumer, table, source, deadLetters }: StreamConsumerProps) {
    super(scope, id);
    const { streamArn } = table;
    const { role, alias } = consumer;
    role.addToPolicy(
      new PolicyStatement({
        actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
        resources: [streamArn],
      }),
    );
    role.addToPolicy(new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }));
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'Event source mappings list the streams, and dynamodb:ListStreams supports no resource other than *.',
    });
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: alias,
      eventSourceArn: streamArn,
      // Start at the beginning of the stream, so that items from before the mapping are delivered too.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: source.batchSize,
      retryAttempts: source.maxRetries,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      onFailure: new SqsDlq(deadLetters),
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { NewImage: { entity: { S: [...source.entities] } } },
        }),
      ],
    });
    // Lambda checks the permissions of the role when it creates the mapping.
    mapping.node.addDependency(role);
  }
}
