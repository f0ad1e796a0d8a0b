import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { TABLE } from '../../shared/data/table/table.ts';
import { ALPACA_SOURCE, HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import type { Capability } from '../../shared/settings.ts';
import { mailIdentities } from '../mail-identity.ts';
import { busName, configurationSetName } from '../names.ts';
import type { HubConfig } from '../stage.ts';
import type { HubTable } from './hub-table.ts';

const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const WRITE = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:ConditionCheckItem',
];

const ACTIONS: Readonly<Record<FunctionDeclaration['table'], readonly string[]>> = {
  none: [],
  read: READ,
  write: [...READ, ...WRITE],
  /** Jobs over the whole table, which also remove many items at once. */
  scan: [...READ, ...WRITE, 'dynamodb:BatchWriteItem', 'dynamodb:Scan'],
};

/**
 * Returns the permissions of a function for the table. Only the manifest can allow a Scan, an operation cannot. Only
 * scheduled functions may query the indexes.
 */
export const tableStatements = (
  { tableArn }: HubTable,
  { table: access, trigger }: Pick<FunctionDeclaration, 'table' | 'trigger'>,
): PolicyStatement[] => {
  if (access === 'none') return [];
  const statements = [new PolicyStatement({ actions: [...ACTIONS[access]], resources: [tableArn] })];
  if (trigger.kind === 'schedule') {
    const resources = TABLE.indexes.map(({ name }) => `${tableArn}/index/${name}`);
    statements.push(new PolicyStatement({ actions: ['dynamodb:Query'], resources }));
  }
  return statements;
};

/** Returns the permission to read a secret. */
export const secretStatement = (secret: Secret): PolicyStatement =>
  new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] });

/** Allows reading the daily quota. The action supports no resource other than *. */
const mailQuotaStatement = (): PolicyStatement =>
  new PolicyStatement({ actions: ['ses:GetAccount'], resources: ['*'] });

/**
 * Allows sending with the configuration set of the stage, from its address. AWS does not document which identity it checks
 * if several fit the address, so all are allowed: the address, its domain, and the parent domains up to the identity of the
 * stage.
 */
const mailStatement = (scope: Construct, config: HubConfig): PolicyStatement => {
  const arn = (resource: string, resourceName: string) =>
    Stack.of(scope).formatArn({ service: 'ses', resource, resourceName });
  return new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [
      ...mailIdentities(config).map((identity) => arn('identity', identity)),
      arn('configuration-set', configurationSetName(config)),
    ],
    conditions: { StringEquals: { 'ses:FromAddress': config.mailFrom.address } },
  });
};

/** Excludes topics instead of naming a resource, as a phone number has no ARN. */
const smsStatement = (scope: Construct): PolicyStatement =>
  new PolicyStatement({
    actions: ['sns:Publish'],
    notResources: [Stack.of(scope).formatArn({ service: 'sns', region: '*', account: '*', resource: '*' })],
  });

/** Refers to the bus by name, as functions of several stacks use it. Allows only one source. */
const busStatement = (scope: Construct, config: HubConfig, source: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['events:PutEvents'],
    resources: [
      Stack.of(scope).formatArn({ service: 'events', resource: 'event-bus', resourceName: busName(config) }),
    ],
    conditions: { StringEquals: { 'events:source': source } },
  });

/** Allows only data keys, as the encrypted text itself is not sent to KMS. */
const encryptionStatement = (dataKey: IKey): PolicyStatement =>
  new PolicyStatement({ actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: [dataKey.keyArn] });

/** Returns the permission to hand messages to the queues of lanes. */
export const queuesStatement = (queues: readonly IQueue[]): PolicyStatement =>
  new PolicyStatement({
    actions: ['sqs:SendMessage'],
    resources: queues.map(({ queueArn }) => queueArn),
  });

/** Returns the permissions of capabilities. Those that are called over HTTPS with a secret need none. */
export const capabilityStatements = (
  scope: Construct,
  uses: readonly Capability[],
  { config, dataKey }: { readonly config: HubConfig; readonly dataKey: IKey },
): PolicyStatement[] => [
  ...(uses.includes('mail') ? [mailStatement(scope, config), mailQuotaStatement()] : []),
  ...(uses.includes('sms') ? [smsStatement(scope)] : []),
  ...(uses.includes('bus') ? [busStatement(scope, config, HUB_SOURCE)] : []),
  ...(uses.includes('reports') ? [busStatement(scope, config, ALPACA_SOURCE)] : []),
  ...(uses.includes('encryption') ? [encryptionStatement(dataKey)] : []),
];
