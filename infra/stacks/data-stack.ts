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
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { TABLE } from '../../shared/data/table/table.ts';
import { BackupCopies } from '../constructs/backup-copies.ts';
import type { HubTable } from '../constructs/hub-table.ts';
import type { HubConfig } from '../stage.ts';

const INDEXES: GlobalSecondaryIndexPropsV2[] = TABLE.indexes.map((index) => ({
  indexName: index.name,
  partitionKey: { name: index.partitionKey, type: AttributeType.STRING },
  sortKey: {
    name: index.sortKey,
    type: { N: AttributeType.NUMBER, S: AttributeType.STRING }[index.sortType],
  },
  projectionType: ProjectionType[index.projection],
}));

/**
 * Returns the key of the table. Who may use the table may use it, through DynamoDB only. No role names it, so functions
 * lose no access while stacks are deployed that start or end to use it.
 */
const tableKey = (stack: Stack): Key => {
  const key = new Key(stack, 'TableKey', {
    description: 'Encrypts the table of the Strategy Hub controller',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new AnyPrincipal()],
      actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
      resources: ['*'],
      conditions: {
        StringEquals: {
          'kms:CallerAccount': stack.account,
          'kms:ViaService': `dynamodb.${stack.region}.amazonaws.com`,
        },
      },
    }),
  );
  return key;
};

interface DataStackProps extends StackProps {
  readonly config: HubConfig;
}

/** Resources that must survive any deployment: the table, the secret of the service and the KMS key for data keys. */
export class DataStack extends Stack {
  /** Table of the stage, or the restored one that replaces it. */
  readonly table: HubTable;
  readonly secret: Secret;
  /** KMS key that encrypts the data keys of encrypted texts. */
  readonly dataKey: Key;

  constructor(scope: Construct, id: string, { config, ...props }: DataStackProps) {
    super(scope, id, props);
    const key = config.customerKey ? tableKey(this) : undefined;
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
    // Export always, even if no stack imports it. Then switching to a restored table and back causes no deadlock
    // between the stacks.
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
        }
      : { tableName, tableArn, streamArn };
    if (config.backupCopies) {
      const { tableArn: current } = this.table;
      new BackupCopies(this, 'BackupCopies', { config, copies: config.backupCopies, tableArn: current });
    }
    this.secret = new Secret(this, 'Secret', {
      description: 'Master key and credentials of the Strategy Hub controller',
      generateSecretString: {
        // Do not change: a change generates a new secret with a new `master`. Operators add later fields.
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
        'The secret holds credentials that only the consoles of external services issue, and a master key. ' +
        'Its rotation invalidates signatures of two versions ago, so an operator decides when.',
    });
    this.dataKey = new Key(this, 'DataKey', {
      description: 'Encrypts the data keys of the Strategy Hub controller',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
    new CfnOutput(this, 'SecretArn', { value: this.secret.secretArn });
  }
}
