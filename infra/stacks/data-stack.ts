import { CfnOutput, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type GlobalSecondaryIndexPropsV2,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { TABLE } from '../../shared/data/table/table.ts';
import type { HubConfig } from '../config.ts';
import type { HubTable } from '../constructs/hub-table.ts';

const INDEXES: GlobalSecondaryIndexPropsV2[] = TABLE.indexes.map((index) => ({
  indexName: index.name,
  partitionKey: { name: index.partitionKey, type: AttributeType.STRING },
  sortKey: {
    name: index.sortKey,
    type: { N: AttributeType.NUMBER, S: AttributeType.STRING }[index.sortType],
  },
  projectionType: ProjectionType[index.projection],
}));

interface DataStackProps extends StackProps {
  readonly config: HubConfig;
}

/** What must outlive any deployment: the table, the service's secrets and the key of what is sealed. */
export class DataStack extends Stack {
  /** The stage's own table, or the restored one that takes its place. */
  readonly table: HubTable;
  readonly secret: Secret;
  /** Under which the data keys of sealed texts are kept. */
  readonly dataKey: Key;

  constructor(scope: Construct, id: string, { config, ...props }: DataStackProps) {
    super(scope, id, props);
    const key = config.customerKey
      ? new Key(this, 'TableKey', {
          description: 'Encrypts the table of the Strategy Hub controller',
          enableKeyRotation: true,
          removalPolicy: RemovalPolicy.RETAIN,
        })
      : undefined;
    const own = new TableV2(this, 'Table', {
      partitionKey: { name: TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: TABLE.sortKey, type: AttributeType.STRING },
      globalSecondaryIndexes: INDEXES,
      timeToLiveAttribute: TABLE.timeToLive,
      dynamoStream: StreamViewType[TABLE.stream],
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      ...(key && { encryption: TableEncryptionV2.customerManagedKey(key) }),
    });
    // Exported whether another stack imports it now or not: a restored table can take its place, and the stage's
    // own again, without the stacks waiting for each other.
    const { tableName, tableArn, tableStreamArn: streamArn } = own;
    if (streamArn === undefined) throw new Error('the table has no stream');
    for (const attribute of [tableArn, tableName, streamArn]) this.exportValue(attribute);
    const { restoredTable } = config;
    this.table = restoredTable
      ? {
          tableName: restoredTable.name,
          tableArn: this.formatArn({
            service: 'dynamodb',
            resource: 'table',
            resourceName: restoredTable.name,
          }),
          streamArn: restoredTable.streamArn,
          key,
        }
      : { tableName, tableArn, streamArn, key };
    this.secret = new Secret(this, 'Secret', {
      description: 'Master key and credentials of the Strategy Hub controller',
      generateSecretString: {
        // A change here would make new secrets, `master` among them: what came later, operators add.
        secretStringTemplate: JSON.stringify({
          challenge_secret: '',
          analytics_secret: '',
          partnerc_client_secret: '',
        }),
        generateStringKey: 'master',
        passwordLength: 64,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'It holds credentials of outside services, which only their consoles issue, and a master key whose ' +
        'rotation ends what was signed two versions ago: an operator decides when.',
    });
    this.dataKey = new Key(this, 'DataKey', {
      description: 'Data keys of what the Strategy Hub controller keeps sealed',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
    new CfnOutput(this, 'SecretArn', { value: this.secret.secretArn });
  }
}
