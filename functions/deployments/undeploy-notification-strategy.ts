import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { undeploy } from './commands/undeploy.ts';
import { endedDeployment, presentEnded } from './records/ended.ts';

export const undeployNotificationStrategy = defineOperation({
  method: 'POST',
  path: '/undeploy_notification_strategy',
  name: 'undeploy_notification_strategy',
  summary: 'End a notification deployment',
  caller: 'user',
  scope: 'trade:paper',
  assistant: { description: 'Ends a notification deployment.', destructive: true, idempotent: true },
  input: { query: z.object({ user_id: z.string(), deployment_id: integer() }) },
  output: endedDeployment,
  errors: ['deployment_unknown', 'state_conflict', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId, deployment_id: id } }, call) =>
    presentEnded(await undeploy(call, userId, id, 'notification')),
});
