import { DomainName } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IDistribution } from 'aws-cdk-lib/aws-cloudfront';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties, CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { HubConfig } from '../stage.ts';

interface ApiDomainProps extends NonNullable<HubConfig['domain']> {
  /** Distribution in front of the API, which the name then leads to. */
  readonly distribution: IDistribution | undefined;
}

/** Custom domain of the API. Creates the DNS record if the hosted zone is configured. */
export class ApiDomain extends Construct {
  readonly domainName: DomainName;

  constructor(scope: Construct, id: string, { name, certificateArn, zone, distribution }: ApiDomainProps) {
    super(scope, id);
    this.domainName = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    });
    if (!zone) return;
    const { regionalDomainName, regionalHostedZoneId } = this.domainName;
    const target = RecordTarget.fromAlias(
      distribution
        ? new CloudFrontTarget(distribution)
        : new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId),
    );
    const record = {
      zone: HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId: zone.id, zoneName: zone.name }),
      recordName: name,
      target,
    };
    new ARecord(this, 'Record', record);
    if (distribution) new AaaaRecord(this, 'Ipv6Record', record);
  }
}
