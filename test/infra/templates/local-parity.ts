import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  BatchWriteItemCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { FUNCTIONS } from '../../../functions/manifest.ts';
import { openState } from '../../../infra/local/database/state.ts';
import { startHub } from '../../../infra/local/hub.ts';
import { functionEnvironment } from '../../../infra/local/lambda/environment.ts';
import {
  busRulesOf,
  queuesOf,
  routesOf,
  schedulesOf,
  startPumps,
  usedFunctions,
} from '../../../infra/local/lambda/triggers.ts';
import { createBus } from '../../../infra/local/services/bus.ts';
import { simulatedEvents } from '../../../infra/local/services/mail-simulator.ts';
import { nextRun } from '../../../infra/local/services/scheduler.ts';
import { configurationSetName, mailEventPattern } from '../../../infra/names.ts';
import { HUB_SOURCE } from '../../../shared/domain/deployments/event-source.ts';
import { type Engine, engineClient, startEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { stages } from '../complete.ts';
import { functionsOf, invokedBy, resourcesOf } from '../synthesized.ts';

let engine: Engine;
let database: DynamoDBClient;

beforeAll(async () => {
  engine = await startEngine();
  database = new DynamoDBClient(engineClient(engine.endpoint));
});
afterAll(async () => {
  database.destroy();
  await engine.stop();
});

/** Returns a runner of functions that records its invocations. */
const recorder = () => {
  const invoked: { readonly name: string; readonly event: unknown }[] = [];
  const invoke = async (name: string, event: unknown): Promise<void> => {
    invoked.push({ name, event });
  };
  return { invoked, invoke, rest: async () => undefined, close: async () => undefined };
};

const streamEvent = z.object({
  Records: z.array(
    z.object({
      eventName: z.string(),
      dynamodb: z.object({ NewImage: z.object({ sk: z.object({ S: z.string() }) }) }),
    }),
  ),
});

const filterPattern = z.object({
  eventName: z.array(z.string()),
  dynamodb: z.object({ NewImage: z.object({ entity: z.object({ S: z.array(z.string()) }) }) }),
});

describe.each(stages)('the stage $name and the local engine', (stage) => {
  const functions = functionsOf(stage);
  /** The name of the function whose alias a property names. */
  const nameOf = (target: unknown): string | undefined => {
    const named = [stage.api, stage.events].map((template) => invokedBy(template, target));
    return functions.find(({ id }) => named.includes(id))?.declaration.name;
  };

  test('route the same requests to the same functions', async () => {
    interface Route {
      readonly RouteKey: string;
      readonly Target: {
        readonly 'Fn::Join': readonly [string, readonly [string, { readonly Ref: string }]];
      };
    }
    const integrations = resourcesOf<{ readonly IntegrationUri: unknown }>(
      stage.api,
      'AWS::ApiGatewayV2::Integration',
    );
    const deployed = Object.values(resourcesOf<Route>(stage.api, 'AWS::ApiGatewayV2::Route')).map(
      ({ Properties: { RouteKey, Target } }) => {
        const integration = integrations[Target['Fn::Join'][1][1].Ref];
        return [RouteKey, nameOf(integration?.Properties.IntegrationUri)];
      },
    );
    const runner = recorder();
    const local: unknown[] = [];
    for (const { routeKey, invoke } of routesOf(FUNCTIONS, runner)) {
      await invoke({});
      local.push([routeKey, runner.invoked.at(-1)?.name]);
    }
    expect(local.sort()).toEqual(deployed.sort());
  });

  test('ask the same authorizer for the same routes, and cache its answers as long', async () => {
    interface Guarded {
      readonly RouteKey: string;
      readonly AuthorizerId?: { readonly Ref: string };
    }
    interface Authorizer {
      readonly AuthorizerResultTtlInSeconds: number;
      readonly AuthorizerUri: { readonly 'Fn::Join': readonly [string, readonly unknown[]] };
    }
    const authorizers = resourcesOf<Authorizer>(stage.api, 'AWS::ApiGatewayV2::Authorizer');
    const deployed = Object.values(resourcesOf<Guarded>(stage.api, 'AWS::ApiGatewayV2::Route')).flatMap(
      ({ Properties: { RouteKey, AuthorizerId } }) => {
        const authorizer = AuthorizerId && authorizers[AuthorizerId.Ref]?.Properties;
        if (!authorizer) return [];
        return [[RouteKey, nameOf(authorizer.AuthorizerUri), authorizer.AuthorizerResultTtlInSeconds]];
      },
    );
    const runner = recorder();
    const routes = routesOf(FUNCTIONS, runner);
    const local: unknown[] = [];
    for (const { routeKey, authorizer } of routes) {
      if (!authorizer) continue;
      await authorizer.invoke({});
      local.push([routeKey, runner.invoked.at(-1)?.name, authorizer.cacheTtlS]);
    }
    expect(local.length).toBeGreaterThan(0);
    expect(local.sort()).toEqual(deployed.sort());
    // One cache for all routes, as there is one authorizer.
    expect(new Set(routes.flatMap(({ authorizer }) => authorizer ?? [])).size).toBe(1);
    expect(() =>
      routesOf(
        FUNCTIONS.filter(({ trigger }) => trigger.kind !== 'authorizer'),
        runner,
      ),
    ).toThrow(/has no authorizer/);
  });

  test('have the same table', async () => {
    interface TableProperties {
      readonly KeySchema: readonly unknown[];
      readonly AttributeDefinitions: readonly unknown[];
      readonly GlobalSecondaryIndexes: readonly Readonly<Record<string, unknown>>[];
      readonly BillingMode: string;
      readonly StreamSpecification: { readonly StreamViewType: string };
      readonly TimeToLiveSpecification: { readonly AttributeName: string };
    }
    const { Table } = await database.send(new DescribeTableCommand({ TableName: engine.table }));
    const { TimeToLiveDescription } = await database.send(
      new DescribeTimeToLiveCommand({ TableName: engine.table }),
    );
    const [deployed] = Object.values(resourcesOf<TableProperties>(stage.data, 'AWS::DynamoDB::GlobalTable'));
    const attributes = deployed?.Properties.AttributeDefinitions ?? [];
    expect(Table?.AttributeDefinitions).toHaveLength(attributes.length);
    expect({
      KeySchema: Table?.KeySchema,
      AttributeDefinitions: Table?.AttributeDefinitions,
      GlobalSecondaryIndexes: Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
      BillingMode: Table?.BillingModeSummary?.BillingMode,
      StreamSpecification: Table?.StreamSpecification,
      TimeToLiveSpecification: TimeToLiveDescription,
    }).toMatchObject({
      KeySchema: deployed?.Properties.KeySchema,
      AttributeDefinitions: expect.arrayContaining([...attributes]),
      GlobalSecondaryIndexes: deployed?.Properties.GlobalSecondaryIndexes,
      BillingMode: deployed?.Properties.BillingMode,
      StreamSpecification: { StreamEnabled: true, ...deployed?.Properties.StreamSpecification },
      TimeToLiveSpecification: {
        AttributeName: deployed?.Properties.TimeToLiveSpecification.AttributeName,
        TimeToLiveStatus: 'ENABLED',
      },
    });
  });

  test('give each function the same settings', () => {
    const addresses = {
      publicUrl: 'http://localhost:3000',
      dynamodb: 'http://127.0.0.1:1',
      aws: 'http://127.0.0.1:2',
      bus: 'http://127.0.0.1:3',
    };
    for (const { declaration, properties } of functions) {
      const names = Object.keys(functionEnvironment(declaration, addresses, {}));
      // Lambda's own variables, and those of the SDK and Powertools that describe this machine.
      const settings = names.filter((name) => !/^(AWS|POWERTOOLS)_(?!LOG_LEVEL)/.test(name));
      expect([declaration.name, settings.sort()]).toEqual([
        declaration.name,
        Object.keys(properties.Environment.Variables).sort(),
      ]);
    }
  });

  test('deliver the same records of the stream, in batches of the same size', async () => {
    interface Mapping {
      readonly FunctionName: unknown;
      readonly BatchSize: number;
      readonly FilterCriteria?: { readonly Filters: readonly [{ readonly Pattern: string }] };
    }
    const deployed = Object.values(
      resourcesOf<Mapping>(stage.events, 'AWS::Lambda::EventSourceMapping'),
    ).flatMap(({ Properties: { FunctionName, BatchSize, FilterCriteria } }) =>
      FilterCriteria
        ? [
            {
              name: nameOf(FunctionName),
              batchSize: BatchSize,
              pattern: filterPattern.parse(JSON.parse(FilterCriteria.Filters[0].Pattern)),
            },
          ]
        : [],
    );
    const wanted = deployed.flatMap(({ pattern }) => pattern.dynamodb.NewImage.entity.S);
    const entities = [...wanted, 'nobody-reads-this'];

    const runner = recorder();
    const written = Promise.withResolvers<void>();
    const errors: string[] = [];
    const streams = new DynamoDBStreamsClient(engineClient(engine.endpoint));
    const pumps = await startPumps({
      functions: FUNCTIONS,
      // Takes the first batch when all records are written, so that the next ones are full.
      runner: {
        ...runner,
        invoke: async (name, event) => {
          await written.promise;
          return runner.invoke(name, event);
        },
      },
      database,
      streams,
      table: engine.table,
      state: openState(undefined),
      print: (line) => errors.push(line),
    });
    const perCall = 22;
    const per = 3 * perCall;
    const key = (entity: string, n: number) => ({ pk: { S: stage.name }, sk: { S: `${entity} ${n}` } });
    for (const entity of entities) {
      const items = Array.from({ length: per }, (_, n) => ({ ...key(entity, n), entity: { S: entity } }));
      const puts = items.map((Item) => ({ PutRequest: { Item } }));
      for (let at = 0; at < per; at += perCall) {
        const some = puts.slice(at, at + perCall);
        await database.send(new BatchWriteItemCommand({ RequestItems: { [engine.table]: some } }));
      }
      await database.send(
        new UpdateItemCommand({
          TableName: engine.table,
          Key: key(entity, 0),
          UpdateExpression: 'SET n = :n',
          ExpressionAttributeValues: { ':n': { N: '1' } },
        }),
      );
    }
    written.resolve();
    const deliveries = () =>
      runner.invoked.map(({ name, event }) => ({ name, records: streamEvent.parse(event).Records }));
    const expected = deployed.reduce(
      (sum, { pattern }) => sum + per * pattern.dynamodb.NewImage.entity.S.length,
      0,
    );
    const count = () => deliveries().reduce((sum, { records }) => sum + records.length, 0);
    await until(() => count() >= expected);
    await Promise.all(pumps.map((pump) => pump.close(1000)));
    streams.destroy();

    expect(errors).toEqual([]);
    for (const { name, batchSize, pattern } of deployed) {
      const mine = deliveries().filter((delivery) => delivery.name === name);
      const records = mine.flatMap((delivery) => delivery.records);
      expect(records.map(({ dynamodb }) => dynamodb.NewImage.sk.S).sort()).toEqual(
        pattern.dynamodb.NewImage.entity.S.flatMap((entity) =>
          Array.from({ length: per }, (_, n) => `${entity} ${n}`),
        ).sort(),
      );
      expect([...new Set(records.map(({ eventName }) => eventName))]).toEqual(pattern.eventName);
      expect(Math.max(...mine.map((delivery) => delivery.records.length))).toBe(batchSize);
    }
  });

  test('have the same queues for the same functions', async () => {
    interface Mapping {
      readonly FunctionName: unknown;
      readonly EventSourceArn: { readonly 'Fn::GetAtt'?: readonly [string, string] };
      readonly BatchSize: number;
    }
    interface QueueProperties {
      readonly FifoQueue?: boolean;
      readonly VisibilityTimeout: number;
      readonly RedrivePolicy?: { readonly maxReceiveCount: number };
    }
    const queues = resourcesOf<QueueProperties>(stage.events, 'AWS::SQS::Queue');
    const deployed = Object.values(
      resourcesOf<Mapping>(stage.events, 'AWS::Lambda::EventSourceMapping'),
    ).flatMap(({ Properties: { FunctionName, EventSourceArn, BatchSize } }) => {
      const queue = queues[EventSourceArn['Fn::GetAtt']?.[0] ?? '']?.Properties;
      if (!queue) return [];
      return {
        invoked: nameOf(FunctionName),
        batchSize: BatchSize,
        fifo: queue.FifoQueue ?? false,
        visibilityMs: queue.VisibilityTimeout * 1000,
        maxReceives: queue.RedrivePolicy?.maxReceiveCount,
      };
    });
    const runner = recorder();
    const local = queuesOf(FUNCTIONS, runner, { region: 'eu-west-1', print: () => undefined });
    for (const { invoke } of local) await invoke({ Records: [] });
    expect(
      local.map(({ batchSize, fifo, visibilityMs, maxReceives }, index) => ({
        invoked: runner.invoked[index]?.name,
        batchSize,
        fifo,
        visibilityMs,
        maxReceives,
      })),
    ).toEqual(deployed);
    // The relay finds each of them under the address of its lane.
    const relay = FUNCTIONS.find(({ uses }) => uses.includes('queues'));
    if (!relay) throw new Error('no function sends to the queues');
    const addresses = { publicUrl: 'http://a.test', dynamodb: 'http://x', aws: 'http://b', bus: 'http://z' };
    const { HUB_QUEUES = '' } = functionEnvironment(relay, addresses, { HUB_QUEUES: '{}' });
    const urls: Record<string, string> = JSON.parse(HUB_QUEUES);
    expect(
      Object.values(urls)
        .map((url) => url.split('/').at(-1))
        .sort(),
    ).toEqual(local.map(({ name }) => name).sort());
  });

  test('give each function the same memory, time and name', () => {
    for (const { declaration, properties } of functions) {
      const addresses = {
        publicUrl: 'http://localhost:1',
        dynamodb: 'http://x',
        aws: 'http://localhost:2',
        bus: 'http://z',
      };
      const local = functionEnvironment(declaration, addresses, {});
      expect([local.AWS_LAMBDA_FUNCTION_MEMORY_SIZE, declaration.timeoutS]).toEqual([
        String(properties.MemorySize),
        properties.Timeout,
      ]);
      expect(local.AWS_LAMBDA_FUNCTION_NAME?.replace('-local-', `-${stage.name}-`)).toBe(
        properties.FunctionName,
      );
    }
  });

  test('deliver the same events of the bus to the same functions, with as many attempts', async () => {
    interface Pattern {
      readonly source?: readonly string[];
      readonly 'detail-type': readonly string[];
      readonly detail?: { readonly adapter?: readonly string[]; readonly mail?: unknown };
    }
    interface RuleProperties {
      readonly EventPattern: Pattern;
      readonly Targets: readonly [{ readonly Arn: unknown }];
    }
    interface InvokeConfig {
      readonly FunctionName: { readonly Ref: string };
      readonly Qualifier?: unknown;
      readonly MaximumRetryAttempts: number;
    }
    const retries = Object.values(
      resourcesOf<InvokeConfig>(stage.events, 'AWS::Lambda::EventInvokeConfig'),
    ).flatMap(({ Properties: { FunctionName, Qualifier, MaximumRetryAttempts } }) => {
      const found = functions.find(({ id }) => id === FunctionName.Ref);
      return Qualifier ? [{ name: found?.declaration.name, attempts: MaximumRetryAttempts + 1 }] : [];
    });
    const deployed = Object.values(resourcesOf<RuleProperties>(stage.events, 'AWS::Events::Rule')).map(
      ({ Properties: { EventPattern, Targets } }) => {
        const name = nameOf(Targets[0].Arn);
        // The local bus accepts any source for engines and feeds.
        const { source, ...types } = EventPattern;
        const declared = FUNCTIONS.flatMap((one) =>
          one.name === name && one.trigger.kind === 'bus' ? one.trigger.source.subscriptions : [],
        );
        const index = declared.findIndex(
          ({ detailTypes }) => JSON.stringify(detailTypes) === JSON.stringify(EventPattern['detail-type']),
        );
        const senders = declared[index]?.senders;
        const pattern: Pattern =
          senders === 'mail'
            ? { ...EventPattern, ...mailEventPattern({ stage: 'local' }) }
            : senders === 'hub'
              ? EventPattern
              : types;
        if (senders === 'mail') {
          expect(EventPattern).toMatchObject(mailEventPattern({ stage: stage.name }));
        } else {
          expect(source?.includes(HUB_SOURCE)).toBe(true);
        }
        return {
          name: index === 0 ? name : `${name} ${senders}`,
          pattern,
          attempts: retries.find((one) => one.name === name)?.attempts,
        };
      },
    );
    const runner = recorder();
    const rules = busRulesOf(FUNCTIONS, runner);
    expect(rules.map(({ name, pattern, attempts }) => ({ name, pattern, attempts }))).toEqual(deployed);

    // Requests of orders name their adapter.
    const asked = [
      ...deployed.flatMap(({ pattern }) =>
        (pattern['detail-type'] ?? []).map((type) => ({ type, adapter: pattern.detail?.adapter?.[0] })),
      ),
      { type: 'Nobody Asked', adapter: undefined },
    ];
    const bus = createBus({
      name: 'strategy-hub-local',
      hubPath: '/hub',
      rules,
      region: 'eu-west-1',
      state: openState(undefined),
      onDeadLetter: (_, event) => runner.invoke('dead', event),
      print: () => undefined,
    });
    const server = createServer(bus.listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const client = new EventBridgeClient(engineClient(`http://127.0.0.1:${port}/hub`));
    const put = (Source: string, { type: DetailType, adapter }: (typeof asked)[number]) => {
      const Detail = JSON.stringify({ version: 1, adapter });
      const entry = { EventBusName: 'strategy-hub-local', Source, DetailType, Detail };
      return client.send(new PutEventsCommand({ Entries: [entry] }));
    };
    for (const one of asked) {
      const isOfHub = deployed.some(
        ({ pattern }) => pattern.source && pattern['detail-type']?.includes(one.type),
      );
      if (isOfHub) await put(HUB_SOURCE, one);
      await put('engine', one);
    }
    const simulated = ['bounce@simulator.amazonses.com', 'complaint+a@simulator.amazonses.com'];
    const sent = { messageId: 'm-1', from: 'hub@hub.test', to: simulated, at: new Date() };
    const configurationSet = configurationSetName({ stage: 'local' });
    for (const event of simulatedEvents({ ...sent, configurationSet })) bus.takeServiceEvent(event);
    expect(simulatedEvents({ ...sent, configurationSet: undefined })).toEqual([]);
    await bus.drain();
    client.destroy();
    await bus.close();
    server.close();
    const taken = z.object({ 'detail-type': z.string() });
    expect(runner.invoked.map(({ name, event }) => [name, taken.parse(event)['detail-type']])).toEqual(
      deployed.flatMap(({ name, pattern }) =>
        (pattern['detail-type'] ?? []).map((type) => [(name ?? '').replace(/ .*/, ''), type]),
      ),
    );
  });

  test('run the same jobs at the same times', () => {
    interface ScheduleProperties {
      readonly ScheduleExpression: string;
      readonly ScheduleExpressionTimezone: string;
      readonly Target: { readonly Arn: unknown; readonly Input: string };
    }
    const deployed = Object.values(
      resourcesOf<ScheduleProperties>(stage.events, 'AWS::Scheduler::Schedule'),
    ).map(({ Properties: { ScheduleExpression, ScheduleExpressionTimezone, Target } }) => ({
      functionName: nameOf(Target.Arn),
      ...JSON.parse(Target.Input),
      expression: ScheduleExpression,
      timeZone: ScheduleExpressionTimezone,
    }));
    const local = schedulesOf(usedFunctions(FUNCTIONS, {}));
    expect(local).toHaveLength(deployed.length);
    expect(local).toEqual(expect.arrayContaining(deployed));
    const now = new Date();
    for (const schedule of local) expect(nextRun(schedule, now)?.getTime()).toBeGreaterThan(now.getTime());
  });

  test('answer browsers alike', async () => {
    interface ApiProperties {
      readonly CorsConfiguration: {
        readonly AllowOrigins: readonly string[];
        readonly AllowMethods: readonly string[];
        readonly AllowHeaders: readonly string[];
        readonly ExposeHeaders: readonly string[];
        readonly AllowCredentials: boolean;
        readonly MaxAge: number;
      };
    }
    const [api] = Object.values(resourcesOf<ApiProperties>(stage.api, 'AWS::ApiGatewayV2::Api'));
    if (!api) throw new Error('there is no API');
    const cors = api.Properties.CorsConfiguration;
    const hub = await startHub({
      environment: {
        HUB_DYNAMODB_ENDPOINT: engine.endpoint,
        // The defaults are those of the development stage.
        ...(stage.name !== 'dev' && { HUB_CORS_ORIGINS: cors.AllowOrigins.join(',') }),
      },
      build: async () => ({ functions: [], bundles: new Map() }),
      demoData: false,
    });
    try {
      for (const origin of cors.AllowOrigins) {
        const asked = { origin, 'access-control-request-method': 'POST' };
        const preflight = await fetch(`${hub.url}/login`, { method: 'OPTIONS', headers: asked });
        const granted = [...preflight.headers].filter(([name]) => name.startsWith('access-control-'));
        expect(Object.fromEntries(granted)).toEqual({
          'access-control-allow-origin': origin,
          'access-control-allow-methods': cors.AllowMethods.join(','),
          'access-control-allow-headers': cors.AllowHeaders.join(','),
          'access-control-allow-credentials': String(cors.AllowCredentials),
          'access-control-max-age': String(cors.MaxAge),
        });
        const answer = await fetch(`${hub.url}/login`, { headers: { origin } });
        expect(answer.headers.get('access-control-expose-headers')).toBe(cors.ExposeHeaders.join(','));
      }
      const stranger = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
      const refused = await fetch(`${hub.url}/login`, { method: 'OPTIONS', headers: stranger });
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    } finally {
      await hub.close();
    }
  });
});

test.each(['*', 'localhost:5173', 'http://localhost:5173/', 'http://a.example,'])(
  'HUB_CORS_ORIGINS=%s is refused',
  async (origins) => {
    const environment = { HUB_CORS_ORIGINS: origins };
    await expect(startHub({ environment })).rejects.toThrow(/HUB_CORS_ORIGINS is a comma-separated list/);
  },
);
