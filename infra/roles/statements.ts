import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { TABLE } from '../../shared/data/table/table.ts';
import { HUB_SOURCE, sourceOfAdapter } from '../../shared/domain/deployments/event-source.ts';
import type { Capability } from '../../shared/settings.ts';
import { type MailSender, mailIdentities } from '../mail-identity.ts';
import { busName, configurationSetName } from '../names.ts';

/** Conditions of a statement: operator, key, value. */
export type Conditions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Actions that a role allows. The stacks deploy statements, and the local service enforces them. */
export interface RoleStatement {
  readonly actions: readonly string[];
  readonly resources?: readonly string[];
  /** Allows the actions on all resources but these, instead of on some. */
  readonly notResources?: readonly string[];
  readonly conditions?: Conditions;
}

/** Part of a declaration that decides about the role of a function. */
export interface RoleNeeds extends Pick<FunctionDeclaration, 'table' | 'uses' | 'withoutSecret' | 'adapter'> {
  readonly trigger: Pick<FunctionDeclaration['trigger'], 'kind'>;
}

/** Resources of a stage, which are known only during synthesis. */
export interface RolePlaces {
  /** The beginning of ARNs. */
  readonly partition: string;
  readonly region: string;
  readonly account: string;
  readonly tableArn: string;
  readonly secretArn: string;
  readonly dataKeyArn: string;
  /** Secret of the header of requests through the distribution, for functions that get requests. */
  readonly edgeSecretArn?: string | undefined;
  /** Secret with the password of the probe user. */
  readonly probeSecretArn?: string | undefined;
  /** Queues of the lanes. */
  readonly queueArns: readonly string[];
}

type RoleStage = MailSender & { readonly stage: string };

const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const WRITE = [
  ...READ,
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:BatchWriteItem',
];

const TABLE_ACTIONS: Readonly<Record<FunctionDeclaration['table'], readonly string[]>> = {
  none: [],
  read: READ,
  write: WRITE,
  scan: [...WRITE, 'dynamodb:Scan'],
};

/** Only the manifest can allow a Scan, an operation cannot. Only scheduled functions may query the indexes. */
const tableStatements = ({ table, trigger }: RoleNeeds, { tableArn }: RolePlaces): RoleStatement[] => {
  if (table === 'none') return [];
  const statements: RoleStatement[] = [{ actions: TABLE_ACTIONS[table], resources: [tableArn] }];
  if (trigger.kind === 'schedule') {
    const resources = TABLE.indexes.map(({ name }) => `${tableArn}/index/${name}`);
    statements.push({ actions: ['dynamodb:Query'], resources });
  }
  return statements;
};

const probeSecretOf = ({ probeSecretArn }: RolePlaces): string => {
  if (probeSecretArn === undefined) throw new Error('the stage has no secret for the probe user');
  return probeSecretArn;
};

const secretStatements = ({ uses, withoutSecret }: RoleNeeds, places: RolePlaces): RoleStatement[] =>
  [
    ...(withoutSecret ? [] : [places.secretArn]),
    ...(uses.includes('probe') ? [probeSecretOf(places)] : []),
    ...(places.edgeSecretArn === undefined ? [] : [places.edgeSecretArn]),
  ].map((arn) => ({ actions: ['secretsmanager:GetSecretValue'], resources: [arn] }));

const arnOf = ({ partition, region, account }: RolePlaces, service: string, resource: string): string =>
  `arn:${partition}:${service}:${region}:${account}:${resource}`;

/**
 * Allows sending with the configuration set of the stage, from its address. AWS does not document which identity it checks
 * if several fit the address, so all are allowed: the address, its domain, and the parent domains up to the identity of the
 * stage.
 */
const mailStatement = (stage: RoleStage, places: RolePlaces): RoleStatement => ({
  actions: ['ses:SendEmail'],
  resources: [
    ...mailIdentities(stage).map((identity) => arnOf(places, 'ses', `identity/${identity}`)),
    arnOf(places, 'ses', `configuration-set/${configurationSetName(stage)}`),
  ],
  conditions: { StringEquals: { 'ses:FromAddress': stage.mailFrom.address } },
});

/** Allows reading the daily quota. The action supports no resource other than *. */
const MAIL_QUOTA: RoleStatement = { actions: ['ses:GetAccount'], resources: ['*'] };

/** Excludes topics instead of naming a resource, as a phone number has no ARN. */
const smsStatement = ({ partition }: RolePlaces): RoleStatement => ({
  actions: ['sns:Publish'],
  notResources: [`arn:${partition}:sns:*:*:*`],
});

/**
 * Returns the condition that all entries of a PutEvents call have one source. The key has the sources of all entries, so
 * it needs a set operator. `ForAllValues` also holds without the key, so the key must be there.
 */
export const onlySource = (source: string): Conditions => ({
  'ForAllValues:StringEquals': { 'events:source': source },
  Null: { 'events:source': 'false' },
});

/** Refers to the bus by name, as functions of several stacks use it. */
const busStatement = (stage: RoleStage, places: RolePlaces, source: string): RoleStatement => ({
  actions: ['events:PutEvents'],
  resources: [arnOf(places, 'events', `event-bus/${busName(stage)}`)],
  conditions: onlySource(source),
});

/** Returns the source of the reports of a function. */
const reportsSource = ({ adapter }: RoleNeeds): string => {
  if (!adapter) throw new Error('only the function of an adapter may report on orders');
  return sourceOfAdapter(adapter);
};

/** Allows only data keys, as the encrypted text itself is not sent to KMS. */
const encryptionStatement = ({ dataKeyArn }: RolePlaces): RoleStatement => ({
  actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
  resources: [dataKeyArn],
});

/**
 * Returns what the role of a function allows its code. Capabilities that are called over HTTPS with a secret need no
 * permission.
 */
export const roleStatements = (
  declared: RoleNeeds,
  stage: RoleStage,
  places: RolePlaces,
): readonly RoleStatement[] => {
  const ifUsed = (capability: Capability, statements: () => RoleStatement[]): RoleStatement[] =>
    declared.uses.includes(capability) ? statements() : [];
  return [
    ...secretStatements(declared, places),
    ...tableStatements(declared, places),
    ...ifUsed('mail', () => [mailStatement(stage, places), MAIL_QUOTA]),
    ...ifUsed('sms', () => [smsStatement(places)]),
    ...ifUsed('bus', () => [busStatement(stage, places, HUB_SOURCE)]),
    ...ifUsed('reports', () => [busStatement(stage, places, reportsSource(declared))]),
    ...ifUsed('encryption', () => [encryptionStatement(places)]),
    ...ifUsed('queues', () => [{ actions: ['sqs:SendMessage'], resources: places.queueArns }]),
  ];
};
