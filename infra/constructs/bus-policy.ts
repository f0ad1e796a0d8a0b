import { AnyPrincipal, ArnPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  ADAPTERS,
  type AdapterName,
  HUB_SOURCE,
  sourceOfAdapter,
} from '../../shared/domain/deployments/event-source.ts';
import { ADAPTER_FACTS } from '../../shared/domain/orders/execution-adapters.ts';
import { onlySource } from '../roles/statements.ts';
import type { HubConfig } from '../stage.ts';

const PUT_EVENTS = 'events:PutEvents';

/**
 * Denies a source to all principals except its own. An allow statement alone is not enough, as principals of the same
 * account need no permission in the bus policy. One entry with the source is enough to deny the whole call.
 */
const denyOthers = (
  sid: string,
  busArn: string,
  source: string,
  principals: readonly string[],
): PolicyStatement =>
  new PolicyStatement({
    sid: `${sid}Only`,
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: [PUT_EVENTS],
    resources: [busArn],
    conditions: {
      'ForAnyValue:StringEquals': { 'events:source': source },
      // For an assumed-role session, the principal ARN is that of the role.
      ArnNotEquals: { 'aws:PrincipalArn': [...principals] },
    },
  });

/** Allows a source to its principals, and to nobody else. */
const allowOnly = (
  sid: string,
  busArn: string,
  { source, principals }: Pick<HubConfig['engines'][number], 'source' | 'principals'>,
): PolicyStatement[] => [
  new PolicyStatement({
    sid,
    principals: principals.map((arn) => new ArnPrincipal(arn)),
    actions: [PUT_EVENTS],
    resources: [busArn],
    conditions: onlySource(source),
  }),
  denyOthers(sid, busArn, source, principals),
];

/**
 * Builds the resource policy of the bus. Only the principals of an engine or a feed may put events with its source, and
 * only functions of the hub may use the hub's source. The ids of its statements have the stage, as stages share an account.
 *
 * @param hubRoles ARNs of the roles of the functions that put events on the bus.
 * @param adapterRoles ARNs of the roles of the functions that report on orders, by adapter.
 */
export const busStatements = (
  busArn: string,
  { stage, engines, feeds }: Pick<HubConfig, 'stage' | 'engines' | 'feeds'>,
  hubRoles: readonly string[],
  adapterRoles: Readonly<Record<AdapterName, readonly string[]>>,
): PolicyStatement[] => [
  denyOthers(`${stage}-Hub`, busArn, HUB_SOURCE, hubRoles),
  ...ADAPTERS.map((name) =>
    denyOthers(`${stage}-${ADAPTER_FACTS[name].title}`, busArn, sourceOfAdapter(name), adapterRoles[name]),
  ),
  ...engines.flatMap((engine, index) => allowOnly(`${stage}-Engine${index}`, busArn, engine)),
  ...feeds.flatMap((feed, index) => allowOnly(`${stage}-Feed${index}`, busArn, feed)),
];
