import { AnyPrincipal, ArnPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { HUB_SOURCE } from '../../shared/domain/deployments/event-source.ts';
import type { HubConfig } from '../config.ts';

const PUT_EVENTS = 'events:PutEvents';

/**
 * Denies a source to everybody but its principals. An allow alone would not do: a principal of the account
 * needs no permission of the bus. One entry of a call with the source is enough to deny the call.
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
      // The principal of a session is its role.
      ArnNotEquals: { 'aws:PrincipalArn': [...principals] },
    },
  });

/**
 * The resource policy of the bus: each engine's principals may put events under the source of the engine, nobody
 * else may, and only functions of the hub may use the hub's source.
 *
 * @param hubRoles the roles of the functions that put events on the bus.
 */
export const busStatements = (
  busArn: string,
  engines: HubConfig['engines'],
  hubRoles: readonly string[],
): PolicyStatement[] => [
  denyOthers('Hub', busArn, HUB_SOURCE, hubRoles),
  ...engines.flatMap(({ source, principals }, index) => [
    new PolicyStatement({
      sid: `Engine${index}`,
      principals: principals.map((arn) => new ArnPrincipal(arn)),
      actions: [PUT_EVENTS],
      resources: [busArn],
      conditions: { StringEquals: { 'events:source': source } },
    }),
    denyOthers(`Engine${index}`, busArn, source, principals),
  ]),
];
