import { Duration, Stack } from 'aws-cdk-lib';
import { CfnRule, EventBus, type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { BusSource, BusSubscription } from '../../functions/declaration.ts';
import type { HubFunction } from './hub-function.ts';
import { permissionsIn, permitFirst } from './permit-first.ts';

interface BusConsumerProps {
  readonly bus: EventBus;
  readonly consumer: HubFunction;
  readonly source: BusSource;
  readonly deadLetters: IQueue;
  /** Returns the pattern of the events of senders, without their types. */
  readonly patternOf: (senders: BusSubscription['senders']) => EventPattern;
  readonly ruleNameOf: (senders: BusSubscription['senders']) => string;
}

const ABOUT: Readonly<Record<BusSubscription['senders'], string>> = {
  hub: 'Events of the hub',
  engines: 'Events of execution engines',
  feeds: 'Bars of feeds',
  mail: 'Bounces and complaints',
};

/** Delivers events of the bus to a function. Failed events go to the dead letters, together with the error. */
export class BusConsumer extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { bus, consumer, source, deadLetters, patternOf, ruleNameOf }: BusConsumerProps,
  ) {
    super(scope, id);
    // A destination stores the event together with the error of the function; a dead-letter queue only the event.
    const onFailure = consumer.configureAsyncInvoke({
      onFailure: new SqsDestination(deadLetters),
      retryAttempts: source.maxRetries,
      maxEventAge: Duration.hours(6),
    });
    // Import the bus by ARN, as the optional fields of its type do not compile here.
    const eventBus = EventBus.fromEventBusArn(this, 'Bus', bus.eventBusArn);
    for (const [index, { senders, detailTypes }] of source.subscriptions.entries()) {
      const name = ruleNameOf(senders);
      const isOfBus = senders !== 'mail';
      const rule = new Rule(this, index === 0 ? 'Rule' : `Rule-${senders}`, {
        // AWS services put their events on the default bus.
        ...(isOfBus && { eventBus }),
        ruleName: name,
        description: ABOUT[senders],
        eventPattern: { ...patternOf(senders), detailType: [...detailTypes] },
        targets: [new LambdaTarget(consumer.alias, { deadLetterQueue: deadLetters, retryAttempts: 24 })],
      });
      // EventBridge gives an event up at once if it may not invoke the target, so the permission comes first. It names
      // the rule by its name for that.
      const resourceName = isOfBus ? `${bus.eventBusName}/${name}` : name;
      const sourceArn = Stack.of(this).formatArn({ service: 'events', resource: 'rule', resourceName });
      const { defaultChild } = rule.node;
      permitFirst(
        permissionsIn(rule)[0],
        defaultChild instanceof CfnRule ? defaultChild : undefined,
        sourceArn,
      );
      rule.node.addDependency(onFailure);
    }
  }
}
