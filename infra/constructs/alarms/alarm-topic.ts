import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { HubConfig } from '../../stage.ts';

/** SNS topic for alarms. Subscribes the e-mail address of the stage if there is one. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { stage, alarms }: HubConfig) {
    super(scope, id, { displayName: `Strategy Hub ${stage}`, enforceSSL: true });
    // A topic policy replaces the default one, which allows the alarms of the account to publish.
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
