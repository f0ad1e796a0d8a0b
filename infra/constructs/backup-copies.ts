import { ArnFormat, Duration, RemovalPolicy, Stack, TimeZone, Validations } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupSelection,
  BackupVault,
} from 'aws-cdk-lib/aws-backup';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup, ResourcePolicy } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { BACKUP_OUTCOMES, backupPlanName, backupRuleName } from '../names.ts';
import type { HubConfig } from '../stage.ts';

interface BackupCopiesProps {
  readonly config: HubConfig;
  readonly copies: NonNullable<HubConfig['backupCopies']>;
  readonly tableArn: string;
}

/** Days for which the account keeps the backups themselves. It restores from point-in-time recovery. */
const KEEP_DAYS = 7;

/**
 * Backs the table up each day and copies the backup to a vault of another account, which an intruder into this account
 * cannot delete. Rules count the copies and what failed, for the alarms.
 */
export class BackupCopies extends Construct {
  constructor(scope: Construct, id: string, { config, copies, tableArn }: BackupCopiesProps) {
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
      backupPlanName: backupPlanName(config),
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
    this.#count(config, vault.backupVaultArn, copies.vaultArn);
  }

  /** Adds the rules. Their events are kept in a log, which has the reasons of failures. */
  #count(config: HubConfig, vaultArn: string, copiesArn: string): void {
    const log = new LogGroup(this, 'Log', {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const writers = new ResourcePolicy(this, 'LogPolicy', {
      policyStatements: [
        new PolicyStatement({
          principals: [
            new ServicePrincipal('events.amazonaws.com'),
            new ServicePrincipal('delivery.logs.amazonaws.com'),
          ],
          actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
          resources: [log.logGroupArn],
        }),
      ],
    });
    const target = Stack.of(this).formatArn({
      service: 'logs',
      resource: 'log-group',
      resourceName: log.logGroupName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const source = ['aws.backup'];
    const patterns = {
      copied: {
        source,
        detailType: ['Copy Job State Change'],
        detail: {
          state: ['COMPLETED'],
          sourceBackupVaultArn: [vaultArn],
          destinationBackupVaultArn: [copiesArn],
        },
      },
      failed: {
        source,
        detailType: ['Backup Job State Change', 'Copy Job State Change'],
        detail: {
          state: ['FAILED', 'ABORTED', 'EXPIRED', 'PARTIAL'],
          $or: [{ backupVaultArn: [vaultArn] }, { sourceBackupVaultArn: [vaultArn] }],
        },
      },
    } as const;
    for (const outcome of BACKUP_OUTCOMES) {
      const { detailType, ...pattern } = patterns[outcome];
      const rule = new Rule(this, outcome, {
        ruleName: backupRuleName(config, outcome),
        eventPattern: { ...pattern, source, detailType: [...detailType] },
      });
      rule.addTarget({ bind: () => ({ arn: target }) });
      rule.node.addDependency(writers);
    }
  }
}
