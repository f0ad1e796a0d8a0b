import type { IKey } from 'aws-cdk-lib/aws-kms';

/** Reference to the table for other stacks. */
export interface HubTable {
  readonly tableName: string;
  readonly tableArn: string;
  readonly streamArn: string;
  /** KMS key of the account that encrypts the table; undefined if DynamoDB owns the key. */
  readonly key: IKey | undefined;
}
