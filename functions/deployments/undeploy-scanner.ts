import * as z from 'zod';
import { parseInteger } from '../../shared/api/coerce.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownDeployment } from '../../shared/api/refusals.ts';
import { undeploy } from './commands/undeploy.ts';
import { endedDeployment, presentEnded } from './records/ended.ts';

export const undeployScanner = defineOperation({
  method: 'POST',
  path: '/undeploy_scanner',
  name: 'undeploy_scanner',
  summary: 'End a scanner deployment',
  caller: 'user',
  scope: 'trade:paper',
  assistant: { description: 'Ends a scanner.', destructive: true, idempotent: true },
  input: { query: z.object({ user_id: z.string(), deployment_id: z.string() }) },
  output: endedDeployment,
  errors: ['deployment_unknown', 'state_conflict', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId, deployment_id: text } }, call) => {
    const id = parseInteger(text);
    if (id === undefined) throw unknownDeployment();
    return presentEnded(await undeploy(call, userId, id, 'scanner'));
  },
});
