import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  CfnConfigurationSet,
  CfnConfigurationSetEventDestination,
  CfnEmailIdentity,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { mailIdentity } from '../mail-identity.ts';
import { configurationSetName } from '../names.ts';
import type { HubConfig } from '../stage.ts';

/** Configuration set of the mails of a stage, and its identity if the stage creates it. */
export class MailSending extends Construct {
  constructor(scope: Construct, id: string, config: HubConfig) {
    super(scope, id);
    const set = new CfnConfigurationSet(this, 'ConfigurationSet', {
      name: configurationSetName(config),
      // The hub stops mail to an address itself, and lets its owner lift that. The list of the account would not.
      suppressionOptions: { suppressedReasons: [] },
    });
    new CfnConfigurationSetEventDestination(this, 'Events', {
      configurationSetName: set.ref,
      eventDestination: {
        enabled: true,
        matchingEventTypes: ['BOUNCE', 'COMPLAINT'],
        eventBridgeDestination: {
          // SES puts events on the default bus only.
          eventBusArn: Stack.of(this).formatArn({
            service: 'events',
            resource: 'event-bus',
            resourceName: 'default',
          }),
        },
      },
    });
    if (config.mailFrom.createIdentity !== true) return;
    const identity = new CfnEmailIdentity(this, 'Identity', { emailIdentity: mailIdentity(config) });
    // Other stages may send with it, and its DNS records stay.
    identity.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    if (mailIdentity(config).includes('@')) return;
    const records = [
      [identity.attrDkimDnsTokenName1, identity.attrDkimDnsTokenValue1],
      [identity.attrDkimDnsTokenName2, identity.attrDkimDnsTokenValue2],
      [identity.attrDkimDnsTokenName3, identity.attrDkimDnsTokenValue3],
    ] as const;
    for (const [index, [name, value]] of records.entries()) {
      new CfnOutput(Stack.of(this), `MailDnsRecord${index + 1}`, { value: `${name} CNAME ${value}` });
    }
  }
}
