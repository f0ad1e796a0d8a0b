import { Duration } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { BusSource } from '../../functions/declaration.ts';
import type { HubFunction } from './hub-function.ts';

interface BusConsumerProps {
  readonly bus: EventBus;
  readonly consumer: HubFunction;
  readonly source: BusSource;
  readonly deadLetters: IQueue;
  /** The sources of the events that are taken. */
  readonly sources: readonly string[];
}

/** Hands a function the events of the bus that its source names; what it refuses is kept with the reason. */
export class BusConsumer extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { bus, consumer, source, deadLetters, sources }: BusConsumerProps,
  ) {
    super(scope, id);
    // The destination's record holds the event and the error that the function ended with.
    consumer.lambda.configureAsyncInvoke({
      onFailure: new SqsDestination(deadLetters),
      retryAttempts: source.maxRetries,
      maxEventAge: Duration.hours(6),
    });
    // A rule beside its bus: passing the bus itself trips over the optional fields of its interface.
    new Rule(this, 'Rule', {
      eventBus: EventBus.fromEventBusArn(this, 'Bus', bus.eventBusArn),
      description: 'What execution engines report',
      eventPattern: { source: [...sources], detailType: [...source.detailTypes] },
      targets: [new LambdaTarget(consumer.lambda, { deadLetterQueue: deadLetters, retryAttempts: 24 })],
    });
  }
}
