import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { TABLE } from '../../shared/data/table/table.ts';
import { HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import type { Capability } from '../../shared/settings.ts';
import { busName, type HubConfig } from '../config.ts';
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
  scan: [...READ, ...WRITE, 'dynamodb:Scan'],
};

/** What DynamoDB does with a customer key for whoever reads, or writes. */
const KEY_READ = ['kms:Decrypt', 'kms:DescribeKey'];
const KEY_WRITE = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

const tableKeyStatement = (key: IKey, actions: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    actions: [...actions],
    resources: [key.keyArn],
    // Through the table alone: the function itself has nothing to do with the key.
    conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(key).region}.amazonaws.com` } },
  });

/**
 * What a function may do with the table: a Scan only where the manifest says so, which no operation can. Only
 * jobs look for what is due.
 */
export const tableStatements = (
  { tableArn, key }: HubTable,
  { table: access, trigger }: Pick<FunctionDeclaration, 'table' | 'trigger'>,
): PolicyStatement[] => {
  if (access === 'none') return [];
  const statements = [new PolicyStatement({ actions: [...ACTIONS[access]], resources: [tableArn] })];
  if (trigger.kind === 'schedule') {
    const resources = TABLE.indexes.map(({ name }) => `${tableArn}/index/${name}`);
    statements.push(new PolicyStatement({ actions: ['dynamodb:Query'], resources }));
  }
  if (key)
    statements.push(tableKeyStatement(key, access === 'read' ? KEY_READ : [...KEY_READ, ...KEY_WRITE]));
  return statements;
};

/** What the reader of an encrypted table's stream needs of the key. */
export const streamKeyStatement = (key: IKey): PolicyStatement => tableKeyStatement(key, ['kms:Decrypt']);

/** The service's secrets, which sessions are checked with. */
export const secretStatement = (secret: Secret): PolicyStatement =>
  new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] });

const mailStatement = (scope: Construct, { mailFrom }: HubConfig): PolicyStatement => {
  const domain = mailFrom.address.slice(mailFrom.address.indexOf('@') + 1);
  return new PolicyStatement({
    actions: ['ses:SendEmail'],
    resources: [Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: domain })],
    conditions: { StringEquals: { 'ses:FromAddress': mailFrom.address } },
  });
};

/** A text message is published to no topic, and what is not a topic has no ARN to name. */
const smsStatement = (scope: Construct): PolicyStatement =>
  new PolicyStatement({
    actions: ['sns:Publish'],
    notResources: [Stack.of(scope).formatArn({ service: 'sns', region: '*', account: '*', resource: '*' })],
  });

/** By its name: functions of every stack put events on the one bus. They use the hub's source alone. */
const busStatement = (scope: Construct, config: HubConfig): PolicyStatement =>
  new PolicyStatement({
    actions: ['events:PutEvents'],
    resources: [
      Stack.of(scope).formatArn({ service: 'events', resource: 'event-bus', resourceName: busName(config) }),
    ],
    conditions: { StringEquals: { 'events:source': HUB_SOURCE } },
  });

/** Data keys alone: what is sealed never goes to KMS. */
const encryptionStatement = (dataKey: IKey): PolicyStatement =>
  new PolicyStatement({ actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: [dataKey.keyArn] });

/** The permissions that capabilities bring; those reached over HTTPS with a secret need none. */
export const capabilityStatements = (
  scope: Construct,
  uses: readonly Capability[],
  { config, dataKey }: { readonly config: HubConfig; readonly dataKey: IKey },
): PolicyStatement[] => [
  ...(uses.includes('mail') ? [mailStatement(scope, config)] : []),
  ...(uses.includes('sms') ? [smsStatement(scope)] : []),
  ...(uses.includes('bus') ? [busStatement(scope, config)] : []),
  ...(uses.includes('encryption') ? [encryptionStatement(dataKey)] : []),
];
