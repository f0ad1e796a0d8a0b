import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { FUNCTIONS } from '../../../functions/manifest.ts';
import { currentBuild } from '../../../infra/bundle/current-build.ts';
import { ACCOUNT } from '../../../infra/local/account.ts';
import { openServer } from '../../../infra/local/gateway/server.ts';
import { startHub } from '../../../infra/local/hub.ts';
import { queueName } from '../../../infra/local/lambda/environment.ts';
import { createFunctions, type FunctionRunner } from '../../../infra/local/lambda/functions.ts';
import { localRole } from '../../../infra/local/lambda/local-role.ts';
import { roleOf } from '../../../infra/roles/role.ts';
import { type Conditions, onlySource, type RoleStatement } from '../../../infra/roles/statements.ts';

const server = await openServer();

const REGION = 'eu-west-1';
const SENDER = 'Hub <no-reply@hub.test>';
const TABLE = 'strategy-hub-local';
const Key = { pk: { S: 'USER#1' }, sk: { S: 'USER' } };

interface Call {
  readonly service: string;
  readonly operation: string;
  readonly input: unknown;
}
const inTable = (operation: string, input: object = {}): Call => ({
  service: 'dynamodb',
  operation,
  input: { TableName: TABLE, ...input },
});
const inTransaction = (kind: string, input: object): Call => ({
  service: 'dynamodb',
  operation: 'TransactWriteItems',
  input: { TransactItems: [{ [kind]: { TableName: TABLE, ...input } }] },
});
const onBus = (...sources: readonly string[]): Call => ({
  service: 'events',
  operation: 'PutEvents',
  input: {
    Entries: sources.map((Source) => ({ EventBusName: TABLE, Source, DetailType: 'Tested', Detail: '{}' })),
  },
});
const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: 'USER#1' } } };

/** Calls with the action that each needs, and a function whose role has it. */
const CALLS: readonly (readonly [string, string, Call])[] = [
  ['dynamodb:GetItem', 'engine', inTable('GetItem', { Key })],
  ['dynamodb:PutItem', 'engine', inTable('PutItem', { Item: Key })],
  ['dynamodb:UpdateItem', 'engine', inTable('UpdateItem', { Key })],
  ['dynamodb:DeleteItem', 'engine', inTable('DeleteItem', { Key })],
  ['dynamodb:Query', 'engine', inTable('Query', query)],
  ['dynamodb:Query', 'delivery-jobs', inTable('Query', { ...query, IndexName: 'due' })],
  ['dynamodb:Scan', 'jobs', inTable('Scan')],
  [
    'dynamodb:BatchGetItem',
    'engine',
    { service: 'dynamodb', operation: 'BatchGetItem', input: { RequestItems: { [TABLE]: { Keys: [Key] } } } },
  ],
  [
    'dynamodb:BatchWriteItem',
    'engine',
    {
      service: 'dynamodb',
      operation: 'BatchWriteItem',
      input: { RequestItems: { [TABLE]: [{ DeleteRequest: { Key } }] } },
    },
  ],
  ['dynamodb:PutItem', 'engine', inTransaction('Put', { Item: Key })],
  ['dynamodb:UpdateItem', 'engine', inTransaction('Update', { Key, UpdateExpression: 'SET a = b' })],
  ['dynamodb:DeleteItem', 'engine', inTransaction('Delete', { Key })],
  [
    'dynamodb:ConditionCheckItem',
    'engine',
    inTransaction('ConditionCheck', { Key, ConditionExpression: 'attribute_exists(pk)' }),
  ],
  [
    'dynamodb:GetItem',
    'engine',
    {
      service: 'dynamodb',
      operation: 'TransactGetItems',
      input: { TransactItems: [{ Get: { TableName: TABLE, Key } }] },
    },
  ],
  ['events:PutEvents', 'engine', onBus('strategy-hub', 'strategy-hub')],
  ['events:PutEvents', 'broker-orders', onBus('strategy-hub.alpaca')],
  ['events:PutEvents', 'binance-orders', onBus('strategy-hub.binance')],
  [
    'sqs:SendMessage',
    'relay',
    {
      service: 'sqs',
      operation: 'SendMessageBatch',
      input: {
        QueueUrl: `http://127.0.0.1:${server.port}/${ACCOUNT}/${queueName('orders')}`,
        Entries: [{ Id: '0', MessageBody: 'a' }],
      },
    },
  ],
  [
    'ses:SendEmail',
    'deliver-main',
    {
      service: 'ses',
      operation: 'SendEmail',
      input: {
        FromEmailAddress: SENDER,
        ConfigurationSetName: TABLE,
        Destination: { ToAddresses: ['ada@example.com'] },
        Content: { Simple: { Subject: { Data: 'a' }, Body: { Text: { Data: 'b' } } } },
      },
    },
  ],
  ['ses:GetAccount', 'deliver-main', { service: 'ses', operation: 'GetAccount', input: {} }],
  [
    'sns:Publish',
    'deliver-main',
    { service: 'sns', operation: 'Publish', input: { PhoneNumber: '+15550100', Message: 'a' } },
  ],
  [
    'secretsmanager:GetSecretValue',
    'deliver-main',
    { service: 'secretsmanager', operation: 'GetSecretValue', input: { SecretId: 'strategy-hub/local' } },
  ],
  [
    'secretsmanager:GetSecretValue',
    'canary',
    {
      service: 'secretsmanager',
      operation: 'GetSecretValue',
      input: { SecretId: 'strategy-hub/local-probe' },
    },
  ],
  [
    'kms:GenerateDataKey',
    'deliver-webhooks',
    {
      service: 'kms',
      operation: 'GenerateDataKey',
      input: { KeyId: 'alias/strategy-hub-local', KeySpec: 'AES_256' },
    },
  ],
  [
    'kms:Decrypt',
    'deliver-webhooks',
    {
      service: 'kms',
      operation: 'Decrypt',
      input: { KeyId: 'alias/strategy-hub-local', CiphertextBlob: { 0: 1 } },
    },
  ],
];

/** Calls that no role of the function allows: another resource, another source, an operation that nobody declared. */
const FOREIGN: readonly (readonly [string, string, Call])[] = [
  ['a Scan in a role of requests', 'strategies', inTable('Scan')],
  ['an index in a role of requests', 'strategies', inTable('Query', { ...query, IndexName: 'due' })],
  ['another table', 'jobs', inTable('GetItem', { TableName: 'other', Key })],
  ['a change of the table', 'jobs', inTable('DeleteTable')],
  [
    'a statement in PartiQL',
    'jobs',
    { service: 'dynamodb', operation: 'ExecuteStatement', input: { Statement: `SELECT * FROM "${TABLE}"` } },
  ],
  [
    'one member of a transaction in another table',
    'engine',
    {
      service: 'dynamodb',
      operation: 'TransactWriteItems',
      input: {
        TransactItems: [{ Put: { TableName: TABLE, Item: Key } }, { Put: { TableName: 'other', Item: Key } }],
      },
    },
  ],
  ['one entry with the source of the adapter', 'engine', onBus('strategy-hub', 'strategy-hub.alpaca')],
  ['events with the source of the hub', 'broker-orders', onBus('strategy-hub')],
  ['events with the source of another adapter', 'binance-orders', onBus('strategy-hub.alpaca')],
  [
    'a topic',
    'deliver-main',
    {
      service: 'sns',
      operation: 'Publish',
      input: { TopicArn: `arn:aws:sns:${REGION}:${ACCOUNT}:alarms`, Message: 'a' },
    },
  ],
  [
    'mail from another address',
    'deliver-main',
    {
      service: 'ses',
      operation: 'SendEmail',
      input: {
        FromEmailAddress: 'other@hub.test',
        Destination: { ToAddresses: ['ada@example.com'] },
        Content: { Simple: { Subject: { Data: 'a' }, Body: { Text: { Data: 'b' } } } },
      },
    },
  ],
  [
    'the secret of the service',
    'canary',
    { service: 'secretsmanager', operation: 'GetSecretValue', input: { SecretId: 'strategy-hub/local' } },
  ],
];

const declaredAs = (name: string) => {
  const found = FUNCTIONS.find((one) => one.name === name);
  if (!found) throw new Error(`there is no function ${name}`);
  return found;
};
const localRoleOf = (name: string): readonly RoleStatement[] =>
  localRole(declaredAs(name), { AWS_REGION: REGION, HUB_MAIL_FROM: SENDER });
const without = (role: readonly RoleStatement[], action: string): readonly RoleStatement[] =>
  role.map((one) => ({ ...one, actions: one.actions.filter((allowed) => allowed !== action) }));

/** Returns whether a role allows a call, by the rules that processes of functions enforce. */
const lacksOf = (statements: readonly RoleStatement[], { service, operation, input }: Call) =>
  roleOf(statements).lacks({ service, operation, input, region: REGION, account: ACCOUNT });

const arrived: string[] = [];
server.serve((request, response) => {
  arrived.push(String(request.headers['x-amz-target'] ?? request.url));
  request.resume();
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  response.end(isForm ? '<PublishResponse><PublishResult/></PublishResponse>' : '{}');
});
let runner: FunctionRunner | undefined;
afterEach(async () => {
  await runner?.close();
  arrived.length = 0;
});
afterAll(() => server.close());

/** Lets a function with a role make calls. Returns the error of each, and lines for the console. */
const callAll = async (role: readonly RoleStatement[], calls: readonly Call[]) => {
  const lines: string[] = [];
  const declared = {
    name: 'tested',
    file: new URL('./fixtures/aws-calls.mjs', import.meta.url).pathname,
    environment: {
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${server.port}`,
      AWS_LAMBDA_FUNCTION_NAME: 'strategy-hub-local-tested',
    },
    role,
    memoryMb: 256,
    timeoutS: 20,
    idleS: 60,
  };
  runner = createFunctions([declared], (line) => lines.push(line));
  return { refusals: await runner.invoke('tested', { calls }), lines };
};

describe('a role', () => {
  test.each(CALLS)('allows %s to %s, and without that action refuses it', (action, name, call) => {
    const role = localRoleOf(name);
    expect(lacksOf(role, call)).toBeUndefined();
    expect(lacksOf(without(role, action), call)).toMatchObject({ action });
  });

  test.each(FOREIGN)('does not allow %s to %s', (_, name, call) => {
    expect(lacksOf(localRoleOf(name), call)).toBeDefined();
  });

  test('with a condition that cannot be enforced is refused', () => {
    const leading = (operator: string, key: string): readonly RoleStatement[] => [
      { actions: ['dynamodb:GetItem'], resources: ['*'], conditions: { [operator]: { [key]: 'a' } } },
    ];
    expect(() => roleOf(leading('StringEquals', 'dynamodb:LeadingKeys'))).toThrow('dynamodb:LeadingKeys');
    expect(() => roleOf(leading('StringLike', 'events:source'))).toThrow('StringLike');
  });

  test('with a condition on sources needs all entries to have it, and an operator for one value a single entry', () => {
    const under = (conditions: Conditions, call: Call) =>
      lacksOf([{ actions: ['events:PutEvents', 'dynamodb:GetItem'], resources: ['*'], conditions }], call);
    expect(under(onlySource('a'), onBus('a', 'a'))).toBeUndefined();
    expect(under(onlySource('a'), onBus('a', 'b'))).toBeDefined();
    // A call without sources.
    expect(under(onlySource('a'), inTable('GetItem', { Key }))).toBeDefined();
    expect(under({ StringEquals: { 'events:source': 'a' } }, onBus('a'))).toBeUndefined();
    expect(under({ StringEquals: { 'events:source': 'a' } }, onBus('a', 'a'))).toBeDefined();
  });
});

describe('the process of a function', () => {
  const calls = CALLS.map(([, , call]) => call);

  test('makes the calls that its role allows', async () => {
    const role = [...new Set(CALLS.map(([, name]) => name))].flatMap(localRoleOf);
    const { refusals, lines } = await callAll(role, calls);
    expect({ refusals, lines }).toEqual({ refusals: calls.map(() => null), lines: [] });
    expect(arrived).toHaveLength(calls.length);
  });

  test('refuses all others as AWS does, at once, and says so on the console', async () => {
    const { refusals, lines } = await callAll([], calls);
    expect(refusals).toEqual(
      CALLS.map(([action, , { service }]) => ({
        name: service === 'sns' ? 'AuthorizationErrorException' : 'AccessDeniedException',
        message: expect.stringMatching(
          new RegExp(
            `^User: arn:aws:sts::${ACCOUNT}:assumed-role/strategy-hub-local-tested/\\S+ is not authorized to perform: ${action} on resource: `,
          ),
        ),
        fault: 'client',
        attempts: 1,
      })),
    );
    expect(arrived).toEqual([]);
    const said = /^The role of the function tested does not allow (\S+) on \S.*\.$/;
    expect(lines.map((line) => said.exec(line)?.[1]).toSorted()).toEqual(
      CALLS.map(([action]) => action).toSorted(),
    );
    expect(lines.join()).not.toContain('15550100');
  });
});

test('the bundles of the service make no call that is not checked', async () => {
  const { functions, bundles } = await currentBuild();
  const printed: string[] = [];
  const hub = await startHub({
    build: async () => ({
      functions: functions
        .filter(({ name }) => name === 'strategies')
        .map((one) => ({ ...one, table: 'none' })),
      bundles,
    }),
    environment: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    demoData: false,
    schedules: false,
    print: (line) => printed.push(line),
  });
  try {
    const { status } = await fetch(`${hub.url}/get_strategy_categories`);
    expect(status).toBe(500);
    expect(printed).toEqual([
      `The role of the function strategies does not allow dynamodb:GetItem on arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${TABLE}.`,
    ]);
  } finally {
    await hub.close();
  }
});
