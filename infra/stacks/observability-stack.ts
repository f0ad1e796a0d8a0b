import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AlarmTopic } from '../constructs/alarms/alarm-topic.ts';
import { HubAlarms } from '../constructs/alarms/hub-alarms.ts';
import { hubDashboard } from '../constructs/hub-dashboard.ts';
import type { Watched } from '../constructs/hub-metrics.ts';

interface ObservabilityStackProps extends StackProps {
  readonly watched: Watched;
}

/** Alarms, the topic that they notify, and the dashboard. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, { watched, ...props }: ObservabilityStackProps) {
    super(scope, id, props);
    const topic = new AlarmTopic(this, 'AlarmTopic', watched.config);
    new HubAlarms(this, 'Alarms', { ...watched, topic });
    hubDashboard(this, 'Dashboard', watched);
    new CfnOutput(this, 'AlarmTopicArn', { value: topic.topicArn });
  }
}
