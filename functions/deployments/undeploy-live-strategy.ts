import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { undeploy } from './commands/undeploy.ts';
import { endedDeployment, presentEnded } from './records/ended.ts';

export const undeployLiveStrategy = defineOperation({
  method: 'POST',
  path: '/undeploy_live_strategy',
  name: 'undeploy_live_strategy',
  summary: 'End a live or paper deployment',
  description: 'Open positions stay on the books. Later reports of the engine are still recorded.',
  caller: 'user',
  scope: 'trade:paper',
  extension: true,
  input: { query: z.object({ user_id: z.string(), deployment_id: integer() }) },
  output: endedDeployment,
  errors: ['deployment_unknown', 'state_conflict', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId, deployment_id: id } }, call) =>
    presentEnded(await undeploy(call, userId, id, 'live')),
});
