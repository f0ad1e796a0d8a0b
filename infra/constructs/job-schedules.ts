import { Duration, Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { CfnSchedule, type CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Schedule } from '../../functions/declaration.ts';
import type { HubFunction } from './hub-function.ts';
import { OwnRole } from './own-role.ts';

interface JobSchedulesProps {
  readonly schedules: readonly Schedule[];
  readonly consumer: HubFunction;
  readonly deadLetters: IQueue;
  readonly group: CfnScheduleGroup;
}

/** Schedules of jobs. Each invokes the function with the name of its job. */
export class JobSchedules extends Construct {
  constructor(scope: Construct, id: string, { schedules, consumer, deadLetters, group }: JobSchedulesProps) {
    super(scope, id);
    // The scheduler invokes asynchronously, so Lambda retries failures of the function.
    const onFailure = consumer.configureAsyncInvoke({
      onFailure: new SqsDestination(deadLetters),
      retryAttempts: 2,
      maxEventAge: Duration.hours(1),
    });
    const role = new OwnRole(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    });
    const grants: [string, string][] = [
      ['lambda:InvokeFunction', consumer.alias.functionArn],
      ['sqs:SendMessage', deadLetters.queueArn],
    ];
    for (const [action, resource] of grants) {
      role.addToPolicy(
        new PolicyStatement({ effect: Effect.ALLOW, actions: [action], resources: [resource] }),
      );
    }
    for (const { job, expression, timeZone } of schedules) {
      const schedule = new CfnSchedule(this, job, {
        description: `Strategy Hub job ${job}`,
        groupName: group.ref,
        scheduleExpression: expression,
        scheduleExpressionTimezone: timeZone,
        flexibleTimeWindow: { mode: 'OFF' },
        target: {
          arn: consumer.alias.functionArn,
          roleArn: role.roleArn,
          input: JSON.stringify({ job }),
          deadLetterConfig: { arn: deadLetters.queueArn },
          retryPolicy: { maximumRetryAttempts: 2, maximumEventAgeInSeconds: 3600 },
        },
      });
      schedule.node.addDependency(role, onFailure);
    }
  }
}
