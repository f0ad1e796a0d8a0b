import { LambdaClient } from '@aws-sdk/client-lambda';
import { SSMClient } from '@aws-sdk/client-ssm';
import * as z from 'zod';
import type { FunctionDeclaration } from '../../functions/declaration.ts';
import { Aliases } from '../../infra/release/aliases.ts';
import { ReleaseLock } from '../../infra/release/lock.ts';
import { ReleaseParameters } from '../../infra/release/record.ts';
import type { StageToRelease } from '../../infra/release/release.ts';
import { json, startUpstream, type Upstream } from './upstream.ts';

/** An alias as Lambda stores it. */
export interface StoredAlias {
  version: string;
  revision: number;
  /** Highest version that exists. */
  versions: number;
  weights: Readonly<Record<string, number>>;
}

const update = z.object({
  FunctionVersion: z.string(),
  RevisionId: z.string().optional(),
  RoutingConfig: z.object({ AdditionalVersionWeights: z.record(z.string(), z.number()) }).optional(),
});
const get = z.object({ Name: z.string() });
const put = z.object({ Name: z.string(), Value: z.string().max(4096), Overwrite: z.boolean() });

const failed =
  (code: string, status: number): Upstream['answer'] =>
  (_request, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': code })
      .end(JSON.stringify({ __type: code, Type: 'User', Message: code, message: code }));
  };

/** Functions of each kind, in the order of the manifest. */
const FUNCTIONS: readonly Pick<FunctionDeclaration, 'name' | 'trigger'>[] = [
  { name: 'users', trigger: { kind: 'http', operations: [] } },
  { name: 'account', trigger: { kind: 'http', operations: [] } },
  { name: 'relay', trigger: { kind: 'stream', source: { entities: [], batchSize: 1, maxRetries: 1 } } },
  { name: 'orders', trigger: { kind: 'queue', source: { lane: 'orders', batchSize: 1, maxReceives: 1 } } },
  {
    name: 'engine',
    trigger: { kind: 'bus', source: { subscriptions: [], maxRetries: 1, finalErrors: [] } },
  },
  { name: 'jobs', trigger: { kind: 'schedule', schedules: [] } },
];

/** Starts a server on loopback with the aliases of Lambda and the parameters of Systems Manager of a stage. */
export const startAwsReleases = async () => {
  const aliases = new Map<string, StoredAlias>();
  /** Values of the versions of parameters, the newest last. */
  const parameters = new Map<string, string[]>();
  /** Versions that CloudFormation knows. */
  const known = new Map<string, string>();
  /** Names of the functions whose alias was changed, in order. */
  const moves: string[] = [];
  const lines: string[] = [];
  /** HUB_EDGE of the versions that run, if it is not off. */
  const edges = new Map<string, string>();
  /** Answers instead of Lambda, once, when a function's alias is changed. */
  const faults = new Map<string, Upstream['answer']>();
  /** Number of writes of parameters that take effect, but whose answer is lost. */
  let lost = 0;
  /** True while Systems Manager answers nothing. */
  let isDown = false;

  const describe = (name: string, { version, revision, weights }: StoredAlias) => ({
    AliasArn: `arn:aws:lambda:eu-west-1:123456789012:function:${name}:live`,
    Name: 'live',
    FunctionVersion: version,
    RevisionId: String(revision),
    ...(Object.keys(weights).length > 0 && { RoutingConfig: { AdditionalVersionWeights: weights } }),
  });

  const lambda = (name: string, method: string, body: string): Upstream['answer'] => {
    const alias = aliases.get(name);
    if (!alias) return failed('ResourceNotFoundException', 404);
    if (method === 'GET') return json(describe(name, alias));
    const fault = faults.get(name);
    if (fault) {
      faults.delete(name);
      return fault;
    }
    const { FunctionVersion, RevisionId, RoutingConfig } = update.parse(JSON.parse(body));
    if (RevisionId !== undefined && RevisionId !== String(alias.revision)) {
      return failed('PreconditionFailedException', 412);
    }
    if (Number(FunctionVersion) > alias.versions) return failed('ResourceNotFoundException', 404);
    Object.assign(alias, { version: FunctionVersion, revision: alias.revision + 1 });
    if (RoutingConfig) alias.weights = RoutingConfig.AdditionalVersionWeights;
    moves.push(name);
    return json(describe(name, alias));
  };

  const configuration = (name: string): Upstream['answer'] =>
    aliases.has(name)
      ? json({ Environment: { Variables: { HUB_EDGE: edges.get(name) ?? 'off' } } })
      : failed('ResourceNotFoundException', 404);

  const systems = (target: string, body: string): Upstream['answer'] => {
    if (isDown) return failed('InternalServerError', 500);
    if (target === 'AmazonSSM.GetParameter') {
      const [name = '', version] = get.parse(JSON.parse(body)).Name.split(':');
      const values = parameters.get(name);
      if (!values) return failed('ParameterNotFound', 400);
      const Version = version === undefined ? values.length : Number(version);
      const Value = values[Version - 1];
      return Value === undefined
        ? failed('ParameterVersionNotFound', 400)
        : json({ Parameter: { Name: name, Type: 'String', Value, Version } });
    }
    if (target === 'AmazonSSM.DeleteParameter') {
      return parameters.delete(get.parse(JSON.parse(body)).Name)
        ? json({})
        : failed('ParameterNotFound', 400);
    }
    const { Name, Value, Overwrite } = put.parse(JSON.parse(body));
    const before = parameters.get(Name) ?? [];
    if (before.length > 0 && !Overwrite) return failed('ParameterAlreadyExists', 400);
    parameters.set(Name, [...before, Value]);
    if (lost > 0) {
      lost -= 1;
      return failed('InternalServerError', 500);
    }
    return json({ Version: before.length + 1 });
  };

  const upstream = await startUpstream((request, response) => {
    const path = /^\/2015-03-31\/functions\/strategy-hub-test-([\w-]+)\/(aliases\/live|configuration)$/.exec(
      request.url.pathname,
    );
    const answer = path?.[1]
      ? path[2] === 'configuration'
        ? configuration(path[1])
        : lambda(path[1], request.method, request.body)
      : systems(String(request.headers['x-amz-target']), request.body);
    answer(request, response);
  });
  const options = {
    endpoint: upstream.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  };
  const clients = [
    new LambdaClient(options),
    new SSMClient(options),
    new SSMClient({ ...options, maxAttempts: 2 }),
  ] as const;
  const stage: StageToRelease = {
    stage: 'test',
    edge: undefined,
    functions: FUNCTIONS,
    aliases: new Aliases(clients[0], { stage: 'test' }),
    parameters: new ReleaseParameters(clients[1], { stage: 'test' }),
    lock: new ReleaseLock(clients[2], { stage: 'test' }),
    takeOver: false,
    now: () => new Date('2026-03-02T10:00:00Z'),
    print: (line) => lines.push(line),
  };
  return {
    stage,
    aliases,
    parameters,
    edges,
    moves,
    lines,
    /** Makes the next change of a function's alias fail. */
    fail: (name: string, code: string, status: number) => faults.set(name, failed(code, status)),
    /** Loses the answer of the next write of a parameter, which takes effect. */
    loseAnswer: () => {
      lost += 1;
    },
    /** Lets Systems Manager answer nothing, or everything again. */
    setDown: (down: boolean) => {
      isDown = down;
    },
    /** Sets the aliases and what CloudFormation knows of them, as a successful deployment does. */
    deployed: (version: string, names: readonly string[] = FUNCTIONS.map(({ name }) => name)) => {
      for (const name of names) {
        const { revision = 0, versions = 0 } = aliases.get(name) ?? {};
        aliases.set(name, {
          version,
          revision: revision + 1,
          versions: Math.max(versions, Number(version)),
          weights: {},
        });
      }
      for (const name of names) known.set(name, version);
      parameters.set('/strategy-hub/test/versions/events', [JSON.stringify(Object.fromEntries(known))]);
    },
    /** The versions that callers reach. */
    live: () => Object.fromEntries([...aliases].map(([name, { version }]) => [name, version])),
    close: async () => {
      for (const client of clients) client.destroy();
      await upstream.close();
    },
  };
};
