import type { IKey } from 'aws-cdk-lib/aws-kms';

/** The table as other stacks know it. */
export interface HubTable {
  readonly tableName: string;
  readonly tableArn: string;
  readonly streamArn: string;
  /** The customer key that it is encrypted under, if not under one of DynamoDB's. */
  readonly key: IKey | undefined;
}
