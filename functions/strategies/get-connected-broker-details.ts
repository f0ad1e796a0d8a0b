import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { brokerLinkOut, presentLink } from './records/broker.ts';

export const getConnectedBrokerDetails = defineOperation({
  method: 'GET',
  path: '/get_connected_broker_details_v2',
  name: 'get_connected_broker_details_v2',
  summary: "Show a user's link to a broker",
  description: 'Account numbers are masked to the last four characters.',
  caller: 'user',
  scope: 'read',
  input: { query: z.object({ user_id: z.string(), broker_id: integer() }) },
  output: brokerLinkOut,
  errors: ['user_unknown', 'broker_unknown'],
  table: 'read',
  handler: async ({ query: { broker_id: brokerId } }, call) => {
    const user = await call.user();
    const link = Object.values(user.brokers).find((one) => one.broker_id === brokerId);
    if (!link) throw new HubError('broker_unknown', 'This user is not linked to this broker.');
    return presentLink(link, call.now);
  },
});
