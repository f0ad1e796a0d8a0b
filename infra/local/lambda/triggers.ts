import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { EXECUTION_EVENTS_SOURCE } from '../../../functions/consumers.ts';
import type { Schedule } from '../../../functions/declaration.ts';
import type { Caller, Operation } from '../../../shared/api/operation.ts';
import { runsInTurn } from '../../../shared/data/outbox/lanes.ts';
import { HUB_SOURCE } from '../../../shared/domain/deployments/event-source.ts';
import type { FunctionOutline } from '../../bundle/outline.ts';
import { mailEventPattern } from '../../names.ts';
import type { EngineState } from '../database/state.ts';
import { type StreamPump, startStreamPump } from '../database/stream-pump.ts';
import type { AuthorizerOptions } from '../gateway/authorizer.ts';
import type { GatewayRoute } from '../gateway/gateway.ts';
import type { BusEvent, BusRule } from '../services/bus-event.ts';
import type { QueueOptions } from '../services/queue.ts';
import { LOCAL, queueName } from './environment.ts';
import { FunctionFailedError, type FunctionRunner } from './functions.ts';

type Functions = readonly FunctionOutline[];

const createAuthorizers = (functions: Functions, { invoke }: FunctionRunner) =>
  new Map<Caller, AuthorizerOptions>(
    functions.flatMap(({ name, trigger }) =>
      trigger.kind === 'authorizer'
        ? [
            [
              trigger.source.caller,
              { invoke: (event: unknown) => invoke(name, event), cacheTtlS: trigger.source.cacheTtlS },
            ],
          ]
        : [],
    ),
  );

/** Returns a route for each operation, with an authorizer if its kind of caller needs one. */
export const routesOf = (functions: Functions, runner: FunctionRunner): GatewayRoute[] => {
  const authorizers = createAuthorizers(functions, runner);
  const optionsFor = ({
    name,
    caller,
  }: Pick<Operation, 'name' | 'caller'>): AuthorizerOptions | undefined => {
    const authorizer = authorizers.get(caller);
    if (caller === 'integrator' && !authorizer) throw new Error(`${name} has no authorizer`);
    return authorizer;
  };
  return functions.flatMap(({ name, trigger }) =>
    trigger.kind === 'http'
      ? trigger.operations.map((operation) => {
          const authorizer = optionsFor(operation);
          return {
            routeKey: operation.routeKey,
            invoke: (event: unknown) => runner.invoke(name, event),
            ...(authorizer && { authorizer }),
          };
        })
      : [],
  );
};

/** Returns the functions that have something to do under these settings, as on AWS. */
export const usedFunctions = (
  functions: Functions,
  { HUB_MARKET_DATA = '', HUB_PROBE_EMAIL = '' }: Readonly<Record<string, string | undefined>>,
): Functions => {
  const isUsed = { marketData: !['', '[]'].includes(HUB_MARKET_DATA.trim()), canary: HUB_PROBE_EMAIL !== '' };
  return functions.filter(({ onlyWith }) => onlyWith === undefined || isUsed[onlyWith]);
};

/** Returns all schedules with the functions that they invoke. */
export const schedulesOf = (functions: Functions): (Schedule & { readonly functionName: string })[] =>
  functions.flatMap(({ name, trigger }) =>
    trigger.kind === 'schedule' ? trigger.schedules.map((one) => ({ ...one, functionName: name })) : [],
  );

/** Returns the error that a function threw. */
const thrownIn = (error: unknown): { readonly name: string; readonly message: string } => {
  if (error instanceof FunctionFailedError && error.thrown) return error.thrown;
  return error instanceof Error ? error : new Error(String(error));
};

/** Maximum length of a printed deployment id or symbol, as a malformed event may hold any text. */
const MAX_ID = 64;

/** Prints one line with the reason why an event failed permanently. */
export const givenUp = ({ 'detail-type': type, detail }: BusEvent, error: unknown): string => {
  const { name, message } = thrownIn(error);
  const isRefused = EXECUTION_EVENTS_SOURCE.finalErrors.includes(name);
  const { deployment_id: id, symbol } = detail;
  const isId = typeof id === 'number' || typeof id === 'string';
  const other = typeof symbol === 'string' ? symbol.slice(0, MAX_ID) : 'no deployment';
  const of = isId ? `deployment ${String(id).slice(0, MAX_ID)}` : other;
  const line = `${isRefused ? 'Refused' : 'Gave up'} ${type} of ${of}: ${isRefused ? message : `${name}: ${message}`}`;
  return line.replaceAll(/[\s\p{Cc}]+/gu, ' ');
};

/** Time after which Lambda retries an event first; the second retry comes after twice the time. */
const LAMBDA_RETRY_MS = 60_000;

/** Returns the rules of the bus for each function that consumes events. */
export const busRulesOf = (functions: Functions, { invoke }: FunctionRunner): BusRule[] =>
  functions.flatMap(({ name, trigger, adapter }) => {
    if (trigger.kind !== 'bus') return [];
    const { subscriptions, maxRetries, finalErrors, waitingErrors = [] } = trigger.source;
    return subscriptions.map(
      ({ senders, detailTypes }, index): BusRule => ({
        name: index === 0 ? name : `${name} ${senders}`,
        pattern: {
          ...(senders === 'mail' && mailEventPattern(LOCAL)),
          ...(senders === 'hub' && { source: [HUB_SOURCE] }),
          'detail-type': [...detailTypes],
          ...(adapter && { detail: { adapter: [adapter] } }),
        },
        attempts: maxRetries + 1,
        isFinal: (error) => finalErrors.includes(thrownIn(error).name),
        backoffMs: (error) => (waitingErrors.includes(thrownIn(error).name) ? LAMBDA_RETRY_MS : undefined),
        deliver: async (event) => {
          await invoke(name, event);
        },
      }),
    );
  });

/** As recommended for the mapping on AWS. */
const VISIBILITY_FACTOR = 6;
/** Batches of a queue at a time. Fewer than on AWS: all of them run in one process, on one machine. */
const BATCHES = 2;

/** Returns the queue of each function that takes the messages of a lane. */
export const queuesOf = (
  functions: Functions,
  { invoke }: FunctionRunner,
  { region, print }: { readonly region: string; readonly print: (line: string) => void },
): Omit<QueueOptions, 'state'>[] =>
  functions.flatMap(({ name, trigger, timeoutS }) => {
    if (trigger.kind !== 'queue') return [];
    const { lane, batchSize, maxReceives } = trigger.source;
    return {
      name: queueName(lane),
      region,
      fifo: runsInTurn(lane),
      batchSize,
      maxReceives,
      visibilityMs: VISIBILITY_FACTOR * timeoutS * 1000,
      concurrency: BATCHES,
      invoke: (event) => invoke(name, event),
      onDeadLetter: (body, error) => print(`${name} gave up ${body}: ${String(error)}`),
    };
  });

interface PumpOptions {
  readonly functions: Functions;
  readonly runner: FunctionRunner;
  readonly database: DynamoDBClient;
  readonly streams: DynamoDBStreamsClient;
  readonly table: string;
  readonly state: EngineState;
  readonly print: (line: string) => void;
}

/** Starts a pump for each function that consumes the table's stream. */
export const startPumps = async (options: PumpOptions): Promise<readonly StreamPump[]> => {
  const { functions, runner, database, streams, table, state, print } = options;
  const { Table } = await database.send(new DescribeTableCommand({ TableName: table }));
  const streamArn = Table?.LatestStreamArn;
  if (!streamArn) throw new Error(`the table ${table} has no stream`);
  const starting = functions.flatMap(({ name, trigger }) =>
    trigger.kind === 'stream'
      ? startStreamPump({
          client: streams,
          streamArn,
          functionName: name,
          source: trigger.source,
          invoke: (event) => runner.invoke(name, event),
          state,
          onDeadLetter: (records, error) =>
            print(`${name} gave up ${records.map(({ eventID }) => eventID).join(', ')}: ${String(error)}`),
          onError: (error) => print(`The stream for ${name} cannot be read: ${String(error)}`),
        })
      : [],
  );
  return Promise.all(starting);
};
