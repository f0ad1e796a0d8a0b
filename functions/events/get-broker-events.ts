import * as z from 'zod';
import { extensionRecord } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { callingBroker } from '../../shared/callers/linked-user.ts';
import { brokerLogs } from '../../shared/data/changes/change-log.ts';
import { feedQuery } from './common/input.ts';
import { answerFeed, feedKeys } from './common/read-feed.ts';
import { brokerChangeOut } from './records/change-event.ts';

export const getBrokerEvents = defineOperation({
  method: 'GET',
  path: '/broker/events',
  name: 'get_broker_events',
  summary: 'Read the change events of a broker',
  description:
    'Events of the live and paper deployments at the broker whose users are linked to it, as `GET /events`: those of a deployment in the order of their `sequence`, those of different deployments in any order. ' +
    'Data have the fields that a broker may read. Recording reaches running deployments and those that begin within a minute after the first request.',
  caller: 'integrator',
  extension: true,
  input: { query: z.object(feedQuery) },
  output: extensionRecord('BrokerChanges', z.object({ items: z.array(brokerChangeOut), next: z.string() })),
  errors: ['access_token_invalid', 'broker_suspended', 'cursor_expired'],
  table: 'write',
  rateClass: 'read',
  handler: async ({ query }, call) => {
    const { broker_id } = await callingBroker(call);
    const reconfirm = () => callingBroker({ ...call, now: call.clock() });
    const waiter = { name: `broker ${broker_id}`, network: undefined, isProven: true };
    const feed = { waiter, listener: { broker_id }, logs: brokerLogs(broker_id), reconfirm };
    const request = { ...feed, ...query, after: query.after };
    const items = await call.store.getMany(feedKeys(request), { consistent: true });
    return answerFeed(call, request, items);
  },
});
