import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { findFeedsOn, switchFeed } from '../../shared/data/candles/pulled-feeds.ts';
import { Store } from '../../shared/data/table/store.ts';
import { readCapability } from '../../shared/settings.ts';
import { currentBuild } from '../bundle/current-build.ts';
import type { FunctionOutline } from '../bundle/outline.ts';
import { corsFor } from '../cors.ts';
import { createTable } from './database/create-table.ts';
import { DataUnusableError } from './database/data-unusable.ts';
import { type Dynamo, EndpointUnusableError, startDynamo, startScratchDynamo } from './database/dynamo.ts';
import { type EngineState, openState } from './database/state.ts';
import { DEMO } from './demo/credentials.ts';
import { isDemoDue, loadDemoCatalogue } from './demo/data.ts';
import { everythingDelivered, finishDemo, hasHistory, isCopied, loadDemo } from './demo/load.ts';
import { findSnapshot, saveSnapshot } from './demo/snapshot.ts';
import { type AccessEntry, createGateway } from './gateway/gateway.ts';
import { answerLocally, LOCAL_PREFIX } from './gateway/local-pages.ts';
import { openServer } from './gateway/server.ts';
import { createStarting } from './gateway/starting.ts';
import { explainWriteFaults } from './gateway/write-faults.ts';
import {
  type Addresses,
  corsOriginsOf,
  credentialsOf,
  type Environment,
  functionEnvironment,
  LOCAL,
  regionOf,
} from './lambda/environment.ts';
import { createFunctions } from './lambda/functions.ts';
import { localRole } from './lambda/local-role.ts';
import {
  busRulesOf,
  givenUp,
  queuesOf,
  routesOf,
  schedulesOf,
  startPumps,
  usedFunctions,
} from './lambda/triggers.ts';
import { CRYPTO_FEED, withCryptoFeed } from './market/crypto.ts';
import { loadMarket, startMarket } from './market/market.ts';
import { startReplays } from './replays/replays.ts';
import { createAws } from './services/aws.ts';
import { createBus } from './services/bus.ts';
import type { BusRule } from './services/bus-event.ts';
import { withoutLog } from './services/clients.ts';
import { loadKey } from './services/kms.ts';
import { createMessages } from './services/messages.ts';
import { createPushService } from './services/push-service.ts';
import { createQueues } from './services/queues.ts';
import { startScheduler } from './services/scheduler.ts';
import { secretReader } from './services/secrets.ts';

export interface HubOptions {
  /** 0 selects a free port. */
  readonly port?: number;
  readonly busPort?: number;
  /** Data folder; without it, all data is in memory. */
  readonly dataDir?: string;
  /** Settings: `HUB_…`, `POWERTOOLS_…`, and `AWS_…` for your own database. */
  readonly environment?: Environment;
  /** Prints a line for the user. */
  readonly print?: (line: string) => void;
  readonly onAccess?: (entry: AccessEntry) => void;
  /** Called when the service can no longer work. It is closed by then. */
  readonly onFailure?: (error: Error) => void;
  /** Runs jobs on their schedules, and replays. Jobs can be run by hand in any case. */
  readonly schedules?: boolean;
  readonly demoData?: boolean;
  /** Runs the demo market. It belongs to the demo data. */
  readonly market?: boolean;
  /** Switches public prices of crypto assets on. Otherwise they stay as they were switched last. */
  readonly crypto?: boolean;
  /** Returns the functions to run instead of those of the manifest, and their bundles. */
  readonly build?: (print: (line: string) => void) => Promise<{
    readonly functions: readonly FunctionOutline[];
    readonly bundles: ReadonlyMap<string, { readonly file: string }>;
    /** Digest of the sources; without it, the demo data is not copied. */
    readonly digest?: string;
  }>;
  readonly rules?: readonly BusRule[];
}

export interface Hub {
  readonly url: string;
  readonly busUrl: string;
  readonly messagesUrl: string;
  readonly addresses: Addresses;
  /** Undefined if it was not requested. */
  readonly demo: typeof DEMO | undefined;
  /** Waits at most 3 s for requests in flight, and ends all that was started. */
  readonly close: () => Promise<void>;
}

const GRACE_MS = 3000;
/**
 * Time after which idle functions end, in seconds. Without a waiting caller, a start of a process costs less than its
 * memory.
 */
const IDLE_S = { http: 300, authorizer: 300, bus: 300, stream: 60, queue: 60, schedule: 5 } as const;
/** Limit of API Gateway for the request line and the headers together. */
const MAX_HEADER_BYTES = 10_240;
/** Most times that the demo data is finished again, as late events move its track records. */
const MAX_ROUNDS = 5;

/** Job that asks providers for bars. */
const PULL_JOB = 'pull-candles';

const tableIn = (dataDir: string): string => resolve(dataDir, 'table.sqlite');

/** @param source a table to begin with, if there is none yet. */
const openDynamo = async (
  dataDir: string | undefined,
  environment: Environment,
  source: string | undefined,
): Promise<Dynamo> => {
  const endpoint = environment.HUB_DYNAMODB_ENDPOINT;
  if (!endpoint) return dataDir ? startDynamo(tableIn(dataDir), source) : startScratchDynamo(source);
  return {
    endpoint,
    findWriteFault: () => undefined,
    failed: new Promise(() => undefined),
    close: async () => undefined,
  };
};

/** AWS has a separate endpoint for streams, other databases have not. */
const streamsEndpoint = (dynamodb: string): string =>
  dynamodb.replace(/^(https:\/\/)(dynamodb\.[\w-]+\.amazonaws\.com)/, '$1streams.$2');

/**
 * Composes the service.
 *
 * @param onDatabase gets the database once it runs.
 */
const compose = async (
  options: HubOptions,
  cleanup: AsyncDisposableStack,
  onDatabase: (database: Dynamo) => void,
): Promise<Hub> => {
  const { build = currentBuild, print = console.log, demoData = true } = options;
  const environment = withCryptoFeed(options.environment ?? {});
  const hasMarket = demoData && options.market === true;
  const dataDir = options.dataDir && resolve(options.dataDir);
  const cors = corsFor(corsOriginsOf(environment));
  const report = (what: string) => (error: unknown) => print(`${what}: ${String(error)}`);

  const state: EngineState = openState(dataDir);
  cleanup.defer(() => state.close());
  const gatewayServer = await openServer({
    port: options.port ?? 0,
    setting: 'PORT',
    maxHeaderBytes: MAX_HEADER_BYTES,
  });
  cleanup.defer(() => gatewayServer.close());
  const starting = createStarting();
  starting.begin('functions and database');
  gatewayServer.serve(starting.listener);
  const busServer = await openServer({ port: options.busPort ?? 0, setting: 'HUB_BUS_PORT' });
  cleanup.defer(() => busServer.close());
  const awsServer = await openServer();
  cleanup.defer(() => awsServer.close());

  const url = `http://localhost:${gatewayServer.port}`;
  const { functions, bundles, digest } = await build(print);
  const isEmpty = !environment.HUB_DYNAMODB_ENDPOINT && !(dataDir && existsSync(tableIn(dataDir)));
  const copying =
    demoData && isEmpty && isCopied(environment) && digest !== undefined ? { digest, hasMarket } : undefined;
  const snapshot = copying && findSnapshot(copying);
  for (const checkpoint of Object.entries(snapshot?.checkpoints ?? {})) state.saveCheckpoint(...checkpoint);
  const dynamo = await openDynamo(dataDir, environment, snapshot?.table);
  cleanup.defer(() => dynamo.close());
  onDatabase(dynamo);
  const addresses: Addresses = {
    publicUrl: environment.HUB_PUBLIC_URL || url,
    dynamodb: dynamo.endpoint,
    aws: `http://127.0.0.1:${awsServer.port}`,
    bus: `http://127.0.0.1:${busServer.port}`,
  };

  const region = regionOf(environment);
  const client = { region, credentials: credentialsOf(environment) };
  const database = withoutLog(new DynamoDBClient({ ...client, endpoint: dynamo.endpoint }));
  const streams = withoutLog(
    new DynamoDBStreamsClient({ ...client, endpoint: streamsEndpoint(dynamo.endpoint) }),
  );
  cleanup.defer(() => {
    database.destroy();
    streams.destroy();
  });
  const store = new Store(database, LOCAL.table);
  starting.begin('instruments and candles');
  const fill = async () => {
    await loadDemoCatalogue(store, hasHistory(environment));
    if (hasMarket) await loadMarket(store, Date.now());
  };
  await createTable(database, LOCAL.table, demoData ? fill : undefined).catch((error: unknown) => {
    throw environment.HUB_DYNAMODB_ENDPOINT ? new EndpointUnusableError(dynamo.endpoint, error) : error;
  });

  const messages = createMessages(print);
  const pushService = createPushService(addresses.aws, messages);
  // Only the functions of the hub know the path, so that no other program can use the hub's source.
  const hubKey = randomUUID();
  const own = { ...addresses, bus: `${addresses.bus}/${hubKey}` };
  const runner = createFunctions(
    functions.map((declared) => {
      const file = bundles.get(declared.name)?.file;
      if (!file) throw new Error(`the function ${declared.name} has no bundle`);
      const settings = functionEnvironment(declared, own, environment);
      return {
        ...declared,
        file,
        environment: settings,
        role: localRole(declared, settings),
        idleS: IDLE_S[declared.trigger.kind],
      };
    }),
    print,
  );
  cleanup.defer(() => runner.close());

  const queues = createQueues(queuesOf(functions, runner, { region, print }), state);
  cleanup.defer(() => queues.close());
  const bus = createBus({
    name: LOCAL.bus,
    hubPath: `/${hubKey}`,
    rules: [...busRulesOf(functions, runner), ...(options.rules ?? [])],
    region,
    state,
    onDeadLetter: (_rule, event, error) => print(givenUp(event, error)),
    print,
  });
  cleanup.defer(() => bus.close());
  awsServer.serve(
    createAws({
      messages,
      secret: secretReader(dataDir),
      secretId: LOCAL.secretId,
      probeSecretId: LOCAL.probeSecretId,
      key: loadKey(LOCAL.dataKeyId, dataDir),
      pushService,
      queues,
      onServiceEvent: bus.takeServiceEvent,
    }),
  );
  busServer.serve(bus.listener);

  const pumps = await startPumps({ functions, runner, database, streams, table: LOCAL.table, state, print });
  for (const pump of pumps) cleanup.defer(() => pump.close());

  const schedules = schedulesOf(functions);
  const used = schedulesOf(usedFunctions(functions, environment));
  const runJob = (name: string): Promise<unknown> | undefined => {
    const found = schedules.find(({ job }) => job === name);
    return found && runner.invoke(found.functionName, { job: found.job, by_hand: true });
  };
  const gateway = createGateway({
    routes: routesOf(functions, runner),
    port: gatewayServer.port,
    cors,
    ...(options.onAccess && { log: options.onAccess }),
    onError: (routeKey, error) => print(`${routeKey} failed: ${String(error)}`),
    explain: explainWriteFaults(dynamo.findWriteFault, print),
  });
  const begin = (step: string): void => {
    starting.begin(step);
    print(`Demo data: ${step}`);
  };
  const served = { addresses, environment, hasMarket };
  if (demoData && (await isDemoDue(store)) && (await loadDemo(served, begin))) {
    begin('lists and figures');
    const sweep = async () => runJob('sweep-deliveries');
    const areRecordsMade = await everythingDelivered(store, bus, sweep);
    begin('track records');
    for (let round = 0; round < MAX_ROUNDS && (await finishDemo(served, begin)); round++) {
      await everythingDelivered(store, bus, sweep);
    }
    const isDone = (await everythingDelivered(store, bus, sweep)) && areRecordsMade;
    await runJob('rank-strategies');
    if (!isDone) print('Some lists are still being filled.');
    await runner.rest();
    const table = dynamo.file ?? dynamo.scratchFile;
    if (isDone && copying && !snapshot && table !== undefined) {
      begin('copy for the next first start');
      try {
        saveSnapshot(copying, { table, checkpoints: state.checkpoints() });
      } catch (error) {
        // The service is complete without the copy.
        report('The demo data was not copied for the next first start')(error);
      }
    }
  }

  if (options.crypto) await switchFeed(store, CRYPTO_FEED.name, true);
  const pulls = readCapability('marketData', environment).HUB_MARKET_DATA;
  /** Tells whether a job has something to do: a process for nothing every minute costs more than a read. */
  const isDue = async (job: string): Promise<boolean> =>
    job !== PULL_JOB || (await findFeedsOn(store, pulls)).length > 0;
  const fire = async ({ job, functionName }: (typeof used)[number]): Promise<void> => {
    if (await isDue(job)) await runner.invoke(functionName, { job });
  };
  const scheduler = startScheduler(options.schedules === false ? [] : used, (schedule) => {
    fire(schedule).catch(report(`The job ${schedule.job} failed`));
  });
  if (options.crypto) runJob(PULL_JOB)?.catch(report('Public prices could not be pulled'));
  if (hasMarket) {
    const eventBridge = withoutLog(new EventBridgeClient({ ...client, endpoint: addresses.bus }));
    cleanup.defer(() => eventBridge.destroy());
    const onError = report('The demo market could not put its bars on the bus');
    const market = await startMarket({ store, client: eventBridge, bus: LOCAL.bus, onError });
    cleanup.defer(() => market.close());
  }
  if (options.schedules !== false) {
    const replays = startReplays({
      store,
      environment: functionEnvironment(
        { name: 'replays', uses: ['bus', 'queues'], memoryMb: 1024 },
        addresses,
        environment,
      ),
      print,
    });
    cleanup.defer(() => replays.close());
  }
  gatewayServer.serve((request, response) => {
    if (!request.url?.startsWith(LOCAL_PREFIX)) return gateway(request, response);
    answerLocally({ messages, pushService, runJob }, request, response).catch(
      report('The local page failed'),
    );
  });
  state.announce({
    url,
    dynamodb: dynamo.endpoint,
    bus: addresses.bus,
    ...(dynamo.file !== undefined && { file: dynamo.file }),
  });

  cleanup.defer(async () => {
    const deadline = Date.now() + GRACE_MS;
    scheduler.stop();
    await gatewayServer.close(GRACE_MS);
    const left = Math.max(0, deadline - Date.now());
    await Promise.all([busServer, bus, queues, ...pumps].map((part) => part.close(left)));
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= cleanup.disposeAsync();
    return closing;
  };
  dynamo.failed.then(async (error) => {
    await close();
    options.onFailure?.(error);
  });
  return {
    url,
    busUrl: addresses.bus,
    messagesUrl: `${url}${LOCAL_PREFIX}messages`,
    addresses,
    demo: demoData ? DEMO : undefined,
    close,
  };
};

/**
 * Starts the whole service on this machine. Throws DataInUseError, DataUnusableError, PortTakenError or
 * NoEmbeddedDatabaseError, and then leaves nothing running.
 */
export const startHub = async (options: HubOptions = {}): Promise<Hub> => {
  const cleanup = new AsyncDisposableStack();
  let dynamo: Dynamo | undefined;
  try {
    return await compose(options, cleanup, (database) => {
      dynamo = database;
    });
  } catch (error) {
    const fault = error instanceof DataUnusableError ? undefined : dynamo?.findWriteFault();
    await cleanup.disposeAsync();
    throw fault === undefined
      ? error
      : new DataUnusableError(resolve(options.dataDir ?? tmpdir()), fault, { cause: error });
  }
};
