import { ArnFormat, Duration, RemovalPolicy, Stack, TimeZone, Validations } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupSelection,
  BackupVault,
} from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';

interface BackupCopiesProps {
  readonly copies: NonNullable<HubConfig['backupCopies']>;
  readonly tableArn: string;
}

/** Days for which the account keeps the backups themselves. It restores from point-in-time recovery. */
const KEEP_DAYS = 7;

/**
 * Backs the table up each day and copies the backup to a vault of another account, which an intruder into this account
 * cannot delete.
 */
export class BackupCopies extends Construct {
  constructor(scope: Construct, id: string, { copies, tableArn }: BackupCopiesProps) {
    super(scope, id);
    const account = Stack.of(this).splitArn(copies.vaultArn, ArnFormat.COLON_RESOURCE_NAME).account;
    if (account === undefined) throw new Error('backupCopies.vaultArn names no account');
    const key = new Key(this, 'Key', {
      description: 'Encrypts the backups of the Strategy Hub controller',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    // The other account decrypts a backup while it copies it under a key of its own.
    key.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        principals: [new AccountPrincipal(account)],
        actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
        resources: ['*'],
      }),
    );
    key.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        principals: [new AccountPrincipal(account)],
        actions: ['kms:CreateGrant'],
        resources: ['*'],
        conditions: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
      }),
    );
    const vault = new BackupVault(this, 'Vault', { encryptionKey: key, removalPolicy: RemovalPolicy.RETAIN });
    const plan = new BackupPlan(this, 'Plan', {
      backupVault: vault,
      backupPlanRules: [
        new BackupPlanRule({
          ruleName: 'daily',
          scheduleExpression: Schedule.cron({ minute: '30', hour: '1' }),
          scheduleExpressionTimezone: TimeZone.ETC_UTC,
          startWindow: Duration.hours(1),
          completionWindow: Duration.hours(12),
          deleteAfter: Duration.days(KEEP_DAYS),
          copyActions: [
            {
              destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Copies', copies.vaultArn),
              deleteAfter: Duration.days(copies.keepDays),
            },
          ],
        }),
      ],
    });
    const selection = new BackupSelection(this, 'Selection', {
      backupPlan: plan,
      resources: [BackupResource.fromArn(tableArn)],
    });
    Validations.of(selection).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
      reason: 'AWS keeps the policy of its backup service up to date. Only that service can take the role.',
    });
  }
}
