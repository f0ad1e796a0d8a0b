import * as z from 'zod';
import type { FunctionDeclaration, Trigger } from '../../functions/declaration.ts';
import type { Operation } from '../../shared/api/operation.ts';
import { RELAYED_LANES } from '../../shared/data/outbox/lanes.ts';
import { ADAPTERS } from '../../shared/domain/deployments/event-source.ts';
import { CAPABILITIES } from '../../shared/settings.ts';

type OperationOutline = Pick<Operation, 'name' | 'routeKey' | 'caller'>;

type TriggerOutline =
  | Exclude<Trigger, { kind: 'http' }>
  | { readonly kind: 'http'; readonly operations: readonly OperationOutline[] };

/** Declaration of a function without its code, to run its bundle. Every declaration is an outline too. */
export interface FunctionOutline
  extends Pick<
    FunctionDeclaration,
    'name' | 'table' | 'uses' | 'withoutSecret' | 'adapter' | 'memoryMb' | 'timeoutS' | 'onlyWith'
  > {
  readonly trigger: TriggerOutline;
}

const operation = z.strictObject({
  name: z.string(),
  routeKey: z.string(),
  caller: z.enum(['anyone', 'user', 'session', 'deploy_key', 'integrator']),
});

const trigger = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('http'), operations: z.array(operation) }),
  z.strictObject({
    kind: z.literal('authorizer'),
    source: z.strictObject({ caller: z.literal('integrator'), cacheTtlS: z.number() }),
  }),
  z.strictObject({
    kind: z.literal('stream'),
    source: z.strictObject({
      entities: z.array(z.string()),
      batchSize: z.number(),
      maxRetries: z.number(),
    }),
  }),
  z.strictObject({
    kind: z.literal('queue'),
    source: z.strictObject({
      lane: z.enum(RELAYED_LANES),
      batchSize: z.number(),
      maxReceives: z.number(),
    }),
  }),
  z.strictObject({
    kind: z.literal('bus'),
    source: z.strictObject({
      subscriptions: z.array(
        z.strictObject({
          senders: z.enum(['hub', 'engines', 'feeds', 'mail']),
          detailTypes: z.array(z.string()),
        }),
      ),
      maxRetries: z.number(),
      finalErrors: z.array(z.string()),
      waitingErrors: z.array(z.string()).exactOptional(),
    }),
  }),
  z.strictObject({
    kind: z.literal('schedule'),
    schedules: z.array(z.strictObject({ job: z.string(), expression: z.string(), timeZone: z.string() })),
  }),
]);

/** Reads an outline. Refuses unknown fields, so that a new field of a declaration is not lost. */
export const outlineSchema: z.ZodType<FunctionOutline> = z.strictObject({
  name: z.string(),
  trigger,
  table: z.enum(['none', 'read', 'write', 'scan']),
  uses: z.array(z.enum(CAPABILITIES)),
  withoutSecret: z.literal(true).exactOptional(),
  adapter: z.enum(ADAPTERS).exactOptional(),
  memoryMb: z.number(),
  timeoutS: z.number(),
  onlyWith: z.enum(['marketData', 'canary']).exactOptional(),
});

/** Leaves the code and what only AWS needs out of a declaration. */
export const outlineOf = (declared: FunctionDeclaration): FunctionOutline => {
  const { name, trigger: full, table, uses, withoutSecret, adapter, memoryMb, timeoutS, onlyWith } = declared;
  return {
    name,
    trigger:
      full.kind === 'http'
        ? {
            kind: 'http',
            operations: full.operations.map(({ name, routeKey, caller }) => ({ name, routeKey, caller })),
          }
        : full,
    table,
    uses,
    ...(withoutSecret && { withoutSecret }),
    ...(adapter && { adapter }),
    memoryMb,
    timeoutS,
    ...(onlyWith && { onlyWith }),
  };
};
