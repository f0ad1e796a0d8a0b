import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';

/** Where alarms go: to an address where the stage names one, and to whoever subscribes. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { stage, alarms }: HubConfig) {
    super(scope, id, { displayName: `Strategy Hub ${stage}`, enforceSSL: true });
    // A policy of its own replaces the one by which the account's alarms may publish.
    this.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (alarms.email !== undefined) this.addSubscription(new EmailSubscription(alarms.email));
  }
}
