import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { createTable } from '../../infra/local/database/create-table.ts';
import { type Dynamo, startDynamo } from '../../infra/local/database/dynamo.ts';
import { openServer } from '../../infra/local/gateway/server.ts';
import { credentialsOf, functionEnvironment, LOCAL, regionOf } from '../../infra/local/lambda/environment.ts';
import { createAws } from '../../infra/local/services/aws.ts';
import { loadKey } from '../../infra/local/services/kms.ts';
import { createMessages } from '../../infra/local/services/messages.ts';
import { secretReader } from '../../infra/local/services/secrets.ts';
import { notificationList } from '../../shared/data/deployments/notifications.ts';
import { addEntry } from '../../shared/data/numbered-list/list-changes.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { Store } from '../../shared/data/table/store.ts';
import type { User } from '../../shared/data/users/users.ts';
import { eventOf, type Request } from '../support/hub.ts';

/** The user of the benchmarks' requests. */
export const USER_ID = 'bench-user-of-128-bits';

const user: User = {
  user_id: USER_ID,
  user_key: 'u_bench',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  email_verified: true,
  ph_verified: false,
  plan: 'free',
  plan_status: 'active',
  deploy_used: 0,
  password_version: 0,
  referral_code: 'BENCH123',
  brokers: {},
  identities: {},
  sessions: {
    'session-of-the-bench': { generation: 0, created_at: 1_772_000_000, expires_at: 4_000_000_000 },
  },
  platform_token: { token_id: 'token-of-the-bench', issued_at: 1_772_000_000, expires_at: 4_000_000_000 },
  created_at: '2026-03-02T10:00:00.000Z',
};

const NOTIFICATIONS = 60;

const fill = async (store: Store): Promise<void> => {
  await store.put({ ...keys.user(USER_ID), entity: 'user', ...user });
  for (let n = 0; n < NOTIFICATIONS; n++) {
    await addEntry(store, notificationList(USER_ID), {
      entity: 'notification',
      notification_id: 300_000_000_000_000 + n,
      kind: 'signal_buy',
      severity: 'info',
      deployment_id: 373_350_771_714_086,
      deployment_type: 'notification',
      strategy_id: 373_350_768_807_316,
      symbol: 'AAPL',
      title: 'Buy AAPL',
      body: 'Apple closed above its 100-day average.',
      data: {},
      created_at: '2026-03-02T10:00:00.000Z',
    });
  }
};

/** Services for functions as in `npm start`, with a user and notifications. */
export interface Rig extends AsyncDisposable {
  readonly dynamo: Dynamo;
  /** Returns the environment of a deployed function, with another address of DynamoDB if given. */
  readonly environmentOf: (functionName: string, dynamodb?: string) => Record<string, string>;
}

const declaredAs = (name: string): FunctionDeclaration => {
  const declared = FUNCTIONS.find((one) => one.name === name);
  if (!declared) throw new Error(`there is no function ${name}`);
  return declared;
};

export const startRig = async (): Promise<Rig> => {
  const cleanup = new AsyncDisposableStack();
  const dynamo = await startDynamo();
  cleanup.defer(() => dynamo.close());
  const { endpoint } = dynamo;
  const client = new DynamoDBClient({ endpoint, region: regionOf({}), credentials: credentialsOf({}) });
  await createTable(client, LOCAL.table);
  await fill(new Store(client, LOCAL.table));
  client.destroy();
  const aws = await openServer();
  cleanup.defer(() => aws.close());
  aws.serve(
    createAws({
      messages: createMessages(() => undefined),
      secret: secretReader(undefined),
      secretId: LOCAL.secretId,
      key: loadKey(LOCAL.dataKeyId, undefined),
    }),
  );
  const local = `http://127.0.0.1:${aws.port}`;
  // Logs and metrics as on AWS.
  const given = { POWERTOOLS_LOG_LEVEL: 'INFO', POWERTOOLS_METRICS_DISABLED: 'false' };
  return {
    dynamo,
    environmentOf: (name, dynamodb = endpoint) =>
      functionEnvironment(
        declaredAs(name),
        { publicUrl: 'https://api.example.com', dynamodb, aws: local, bus: local },
        given,
      ),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
};

/** Creates an event like those of API Gateway, with the headers of a browser. */
export const gatewayEvent = (routeKey: string, request: Request) => {
  const event = eventOf(routeKey, request);
  const query = Object.fromEntries(new URLSearchParams(event.rawQueryString));
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    host: 'abcdefghij.execute-api.eu-west-1.amazonaws.com',
    'user-agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    'x-amzn-trace-id': 'Root=1-67891233-abcdef012345678912345678',
    'x-forwarded-for': '192.0.2.1',
    'x-forwarded-port': '443',
    'x-forwarded-proto': 'https',
    'content-length': String(typeof event.body === 'string' ? Buffer.byteLength(event.body) : 0),
    ...event.headers,
  };
  return { ...event, headers, ...(event.rawQueryString !== '' && { queryStringParameters: query }) };
};
