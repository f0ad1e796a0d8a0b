import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { ALPACA_SOURCE, HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import { busName } from '../config.ts';
import { BusConsumer } from '../constructs/bus-consumer.ts';
import { busStatements } from '../constructs/bus-policy.ts';
import { DeadLetterQueue } from '../constructs/dead-letter-queue.ts';
import { HubFunction, type HubFunctionContext } from '../constructs/hub-function.ts';
import { JobSchedules } from '../constructs/job-schedules.ts';
import { StreamConsumer } from '../constructs/stream-consumer.ts';
import { deployedFunctions } from '../deployed.ts';

interface EventsStackProps extends StackProps {
  readonly context: HubFunctionContext;
}

/** Functions that run without a request, for the bus, the table's stream and schedules. */
export class EventsStack extends Stack {
  readonly bus: EventBus;
  /** Dead-letter queues by consumer. */
  readonly deadLetters: Readonly<Record<string, IQueue>>;

  constructor(scope: Construct, id: string, { context, ...props }: EventsStackProps) {
    super(scope, id, props);
    const busDeadLetters = new DeadLetterQueue(this, 'BusDeadLetters');
    this.bus = new EventBus(this, 'Bus', {
      eventBusName: busName(context.config),
      description: 'Execution events in, domain events out',
      deadLetterQueue: busDeadLetters,
    });
    busDeadLetters.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [busDeadLetters.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': this.bus.eventBusArn } },
      }),
    );
    const hubRoles: string[] = [];
    const adapterRoles: string[] = [];
    const queues: Record<string, IQueue> = { bus: busDeadLetters };
    for (const declaration of deployedFunctions(context.config)) {
      const { name, trigger } = declaration;
      if (trigger.kind === 'http' || trigger.kind === 'authorizer') continue;
      const consumer = new HubFunction(this, declaration, context);
      if (declaration.uses.includes('bus')) hubRoles.push(consumer.role.roleArn);
      if (declaration.uses.includes('reports')) adapterRoles.push(consumer.role.roleArn);
      const deadLetters = new DeadLetterQueue(this, `${name}-dead-letters`);
      queues[name] = deadLetters;
      if (trigger.kind === 'stream') {
        const { table } = context;
        new StreamConsumer(this, `${name}-stream`, { consumer, table, source: trigger.source, deadLetters });
      } else if (trigger.kind === 'bus') {
        new BusConsumer(this, `${name}-rule`, {
          bus: this.bus,
          consumer,
          source: trigger.source,
          deadLetters,
          sourcesOf: (senders) => [
            HUB_SOURCE,
            ...(senders === 'engines' ? [ALPACA_SOURCE] : []),
            ...(senders === 'hub' ? [] : context.config[senders].map(({ source }) => source)),
          ],
        });
      } else {
        new JobSchedules(this, `${name}-schedules`, {
          schedules: trigger.schedules,
          target: consumer.lambda,
          deadLetters,
        });
      }
    }
    for (const statement of busStatements(this.bus.eventBusArn, context.config, hubRoles, adapterRoles)) {
      this.bus.addToResourcePolicy(statement);
    }
    this.deadLetters = queues;
    new CfnOutput(this, 'BusName', { value: this.bus.eventBusName });
    for (const [name, { queueUrl }] of Object.entries(queues)) {
      new CfnOutput(this, `${name}-dead-letters-url`, { value: queueUrl });
    }
  }
}
