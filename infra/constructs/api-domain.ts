import { DomainName } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';

/** Custom domain of the API. Creates the DNS record if the hosted zone is configured. */
export class ApiDomain extends Construct {
  readonly domainName: DomainName;

  constructor(
    scope: Construct,
    id: string,
    { name, certificateArn, zone }: NonNullable<HubConfig['domain']>,
  ) {
    super(scope, id);
    this.domainName = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    });
    if (!zone) return;
    const { regionalDomainName, regionalHostedZoneId } = this.domainName;
    new ARecord(this, 'Record', {
      zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId: zone.id, zoneName: zone.name }),
      recordName: name,
      target: RecordTarget.fromAlias(
        new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId),
      ),
    });
  }
}
