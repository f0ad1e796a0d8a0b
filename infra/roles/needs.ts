import * as z from 'zod';

/** Call of an AWS service. */
export interface AwsCall {
  /** As in the signature of the call. */
  readonly service: string;
  readonly operation: string;
  readonly input: unknown;
  readonly region: string;
  readonly account: string;
}

/** Permission that a call needs: an action on a resource, under the values of condition keys. */
export interface Need {
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

type NeedsOf = (call: AwsCall) => readonly Need[];

/** Returns the ARN of a resource that a call refers to by its name or its ARN. */
const arnOf = ({ service, region, account }: AwsCall, name: string, kind = ''): string =>
  name.startsWith('arn:') ? name : `arn:aws:${service}:${region}:${account}:${kind}${name}`;

const tableArn = (call: AwsCall, table: string): string => arnOf(call, table, 'table/');

const oneTable = z.object({ TableName: z.string(), IndexName: z.string().optional() });
const manyTables = z.object({ RequestItems: z.record(z.string(), z.unknown()) });
const transaction = z.object({
  TransactItems: z.array(z.record(z.string(), z.object({ TableName: z.string() }).optional())),
});

/** Actions of the members of a transaction. */
const MEMBER_ACTIONS: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** A transaction needs the actions of its members, a batch an action of its own. An index is a resource of its own. */
const databaseNeeds: NeedsOf = (call) => {
  const { operation, input } = call;
  if (operation.startsWith('Transact')) {
    return transaction.parse(input).TransactItems.flatMap((member) =>
      Object.entries(member).flatMap(([kind, part]) =>
        part === undefined
          ? []
          : [
              {
                action: `dynamodb:${MEMBER_ACTIONS[kind] ?? kind}`,
                resource: tableArn(call, part.TableName),
              },
            ],
      ),
    );
  }
  const action = `dynamodb:${operation}`;
  if (operation.startsWith('Batch')) {
    const tables = Object.keys(manyTables.parse(input).RequestItems);
    return tables.map((table) => ({ action, resource: tableArn(call, table) }));
  }
  const named = oneTable.safeParse(input);
  // A call that names no table, such as that of a stream, needs the permission for all.
  if (!named.success) return [{ action, resource: '*' }];
  const { TableName, IndexName } = named.data;
  const table = tableArn(call, TableName);
  return [{ action, resource: IndexName === undefined ? table : `${table}/index/${IndexName}` }];
};

const queueCall = z.object({ QueueUrl: z.url() });
/** Operations that an action of another name allows. */
const QUEUE_ACTIONS: Readonly<Record<string, string>> = { SendMessageBatch: 'SendMessage' };

const queueNeeds: NeedsOf = (call) => {
  const { operation, input } = call;
  const name = new URL(queueCall.parse(input).QueueUrl).pathname.split('/').at(-1) ?? '';
  return [{ action: `sqs:${QUEUE_ACTIONS[operation] ?? operation}`, resource: arnOf(call, name) }];
};

const mail = z.object({ FromEmailAddress: z.string(), ConfigurationSetName: z.string().optional() });

/** Returns the address of a sender, which may have a name before it. */
export const addressOf = (sender: string): string => /<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender;

const mailNeeds: NeedsOf = (call) => {
  const action = `ses:${call.operation}`;
  if (call.operation !== 'SendEmail') return [{ action, resource: '*' }];
  const { FromEmailAddress, ConfigurationSetName: set } = mail.parse(call.input);
  const address = addressOf(FromEmailAddress);
  const context = { 'ses:FromAddress': [address] };
  return [
    { action, resource: arnOf(call, address, 'identity/'), context },
    ...(set === undefined ? [] : [{ action, resource: arnOf(call, set, 'configuration-set/'), context }]),
  ];
};

const publication = z.object({ TopicArn: z.string().optional(), TargetArn: z.string().optional() });

/** A text message has no resource but its phone number, which no log may have. */
const publishNeeds: NeedsOf = ({ operation, input }) => {
  const { TopicArn, TargetArn } = publication.parse(input);
  return [{ action: `sns:${operation}`, resource: TopicArn ?? TargetArn ?? 'a phone number' }];
};

const secretCall = z.object({ SecretId: z.string() });

const secretNeeds: NeedsOf = (call) => {
  const resource = arnOf(call, secretCall.parse(call.input).SecretId, 'secret:');
  return [{ action: `secretsmanager:${call.operation}`, resource }];
};

const keyCall = z.object({ KeyId: z.string() });

const keyNeeds: NeedsOf = (call) => [
  { action: `kms:${call.operation}`, resource: arnOf(call, keyCall.parse(call.input).KeyId) },
];

const events = z.object({
  Entries: z.array(z.object({ EventBusName: z.string().default('default'), Source: z.string() })).min(1),
});

/** A call needs the permission for each of its buses. The condition key has the sources of all entries. */
const eventNeeds: NeedsOf = (call) => {
  const { Entries } = events.parse(call.input);
  const context = { 'events:source': Entries.map(({ Source }) => Source) };
  return [...new Set(Entries.map(({ EventBusName }) => EventBusName))].map((bus) => ({
    action: `events:${call.operation}`,
    resource: arnOf(call, bus, 'event-bus/'),
    context,
  }));
};

const SERVICES: Readonly<Record<string, NeedsOf>> = {
  dynamodb: databaseNeeds,
  sqs: queueNeeds,
  ses: mailNeeds,
  sns: publishNeeds,
  secretsmanager: secretNeeds,
  kms: keyNeeds,
  events: eventNeeds,
};

/** Condition keys whose values {@link needsOf} returns. A role with another one cannot be enforced. */
export const CONDITION_KEYS: ReadonlySet<string> = new Set(['ses:FromAddress', 'events:source']);

/**
 * Returns the permissions that a call needs, all of them. An unknown service needs the permission for everything.
 *
 * @throws ZodError for an input without its resource.
 */
export const needsOf = (call: AwsCall): readonly Need[] =>
  SERVICES[call.service]?.(call) ?? [{ action: `${call.service}:${call.operation}`, resource: '*' }];
