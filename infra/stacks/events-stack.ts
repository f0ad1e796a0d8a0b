import { CfnOutput, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { runsInTurn } from '../../shared/data/outbox/lanes.ts';
import {
  ADAPTERS,
  type AdapterName,
  HUB_SOURCE,
  sourceOfAdapter,
} from '../../shared/domain/deployments/event-source.ts';
import { BusConsumer } from '../constructs/bus-consumer.ts';
import { busStatements } from '../constructs/bus-policy.ts';
import { DeadLetterQueue } from '../constructs/dead-letter-queue.ts';
import { HubFunction, type HubFunctionContext } from '../constructs/hub-function.ts';
import { JobSchedules } from '../constructs/job-schedules.ts';
import { LaneQueue } from '../constructs/lane-queue.ts';
import { MailSending } from '../constructs/mail-sending.ts';
import { QueueConsumer } from '../constructs/queue-consumer.ts';
import { StackRelease } from '../constructs/stack-release.ts';
import { StreamConsumer } from '../constructs/stream-consumer.ts';
import { deployedFunctions } from '../deployed.ts';
import { busName, mailEventPattern, ruleName, scheduleGroupName } from '../names.ts';

interface EventsStackProps extends StackProps {
  readonly context: Omit<HubFunctionContext, 'release' | 'probeSecret'>;
  /** Functions whose alias was pointed elsewhere than CloudFormation knows. */
  readonly moved: ReadonlySet<string>;
}

/** Functions that run without a request, for the bus, the table's stream, queues and schedules. */
export class EventsStack extends Stack {
  readonly bus: EventBus;
  /** Dead-letter queues by consumer. */
  readonly deadLetters: Readonly<Record<string, IQueue>>;
  /** Queues of lanes by consumer. */
  readonly laneQueues: Readonly<Record<string, IQueue>>;

  constructor(scope: Construct, id: string, { context, moved, ...props }: EventsStackProps) {
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
    // The scheduler counts what it gives up by group.
    const schedules = new CfnScheduleGroup(this, 'Schedules', { name: scheduleGroupName(context.config) });
    const mail = new MailSending(this, 'Mail', context.config);
    const functions = deployedFunctions(context.config);
    const lanes = new Map(
      functions.flatMap(({ name, trigger, timeoutS }): [string, LaneQueue][] => {
        if (trigger.kind !== 'queue') return [];
        const { source } = trigger;
        const deadLetters = this.#deadLettersOf(name, runsInTurn(source.lane));
        return [[name, new LaneQueue(this, `${name}-queue`, { source, timeoutS, deadLetters })]];
      }),
    );
    const queuesByLane = Object.fromEntries([...lanes.values()].map(({ lane, queue }) => [lane, queue]));
    const probeSecret = context.config.canary && this.#probeSecret();
    const release = new StackRelease(this, 'Release', { config: context.config, stack: 'events', moved });
    const hubRoles: string[] = [];
    const adapterRoles: Record<AdapterName, string[]> = { alpaca: [], binance: [] };
    const queues: Record<string, IQueue> = { bus: busDeadLetters };
    for (const declaration of functions) {
      const { name, trigger, uses, adapter } = declaration;
      if (trigger.kind === 'http' || trigger.kind === 'authorizer') continue;
      const consumer = new HubFunction(this, declaration, {
        ...context,
        queues: queuesByLane,
        probeSecret,
        release,
      });
      if (uses.includes('mail')) consumer.lambda.node.addDependency(mail);
      if (uses.includes('bus')) hubRoles.push(consumer.role.roleArn);
      if (adapter && uses.includes('reports')) adapterRoles[adapter].push(consumer.role.roleArn);
      const lane = lanes.get(name);
      const deadLetters = lane?.deadLetters ?? this.#deadLettersOf(name);
      queues[name] = deadLetters;
      const { table, config } = context;
      if (trigger.kind === 'stream') {
        new StreamConsumer(this, `${name}-stream`, { consumer, table, source: trigger.source, deadLetters });
      } else if (trigger.kind === 'queue') {
        if (!lane) throw new Error(`the function ${name} has no queue`);
        const { maxConcurrency } = declaration;
        new QueueConsumer(this, `${name}-messages`, {
          consumer,
          queue: lane.queue,
          source: trigger.source,
          maxConcurrency,
        });
      } else if (trigger.kind === 'bus') {
        new BusConsumer(this, `${name}-rule`, {
          bus: this.bus,
          consumer,
          source: trigger.source,
          deadLetters,
          ruleNameOf: (senders) => ruleName(config, name, senders),
          patternOf: (senders) =>
            senders === 'mail'
              ? mailEventPattern(config)
              : {
                  source: [
                    HUB_SOURCE,
                    ...(senders === 'engines' ? ADAPTERS.map(sourceOfAdapter) : []),
                    ...(senders === 'hub' ? [] : config[senders].map(({ source }) => source)),
                  ],
                  ...(adapter && { detail: { adapter: [adapter] } }),
                },
        });
      } else {
        new JobSchedules(this, `${name}-schedules`, {
          schedules: trigger.schedules,
          consumer,
          deadLetters,
          group: schedules,
        });
      }
    }
    release.finish();
    for (const statement of busStatements(this.bus.eventBusArn, context.config, hubRoles, adapterRoles)) {
      this.bus.addToResourcePolicy(statement);
    }
    this.deadLetters = queues;
    this.laneQueues = Object.fromEntries([...lanes].map(([name, { queue }]) => [name, queue]));
    new CfnOutput(this, 'BusName', { value: this.bus.eventBusName });
    for (const [name, { queueUrl }] of Object.entries(queues)) {
      new CfnOutput(this, `${name}-dead-letters-url`, { value: queueUrl });
    }
  }

  /**
   * Creates the secret with the password of the user that checks the service. It is in the stack of its only reader, as
   * CloudFormation refuses to delete what another stack still imports.
   */
  #probeSecret(): Secret {
    const secret = new Secret(this, 'ProbeSecret', {
      description: 'Password of the user that checks the Strategy Hub controller',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'probe_password',
        passwordLength: 40,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'It opens an account without data. A new password needs a new user, so an operator decides when.',
    });
    return secret;
  }

  /** Creates the queue for failures of a function. A FIFO queue has a name of its own, as the kind cannot change. */
  #deadLettersOf(name: string, fifo = false): DeadLetterQueue {
    return new DeadLetterQueue(this, `${name}-${fifo ? 'fifo-' : ''}dead-letters`, { fifo });
  }
}
