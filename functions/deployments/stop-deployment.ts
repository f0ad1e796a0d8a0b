import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { requireOwnerOfReal } from './accounts/own-real.ts';
import { commandOwn, commandReason, reasonOf } from './commands/command.ts';
import { deploymentControlOut, presentControl } from './records/control.ts';

export const stopDeployment = defineOperation({
  method: 'POST',
  path: '/stop_deployment',
  name: 'stop_deployment',
  summary: 'Stop a deployment',
  description:
    'Of any kind. Cancels its orders and, with `flatten`, closes its positions at the market. A paper deployment of the ' +
    'hub’s engine ends at once, and closes positions at the close of the last bar. One that takes signals ends at once, and its positions stay open. A deployment of an external engine is ' +
    'halted and its engine asked to stop; it ends when the engine confirms, at the latest after ten minutes. Without an ' +
    'answer, check orders and positions at the broker. `/undeploy_live_strategy` ends it at once and leaves positions open. ' +
    'A deployment that is being stopped, or has stopped, stays as it is; `flatten` may be added. ' +
    'To close positions with real orders requires the session of the owner.',
  caller: 'user',
  scope: 'trade:paper',
  extension: true,
  assistant: {
    description:
      'Ends a paper deployment for good. With flatten, its positions are closed first. Ask the user before you call it.',
    destructive: true,
    idempotent: true,
  },
  input: {
    query: z.object({
      user_id: z.string(),
      deployment_id: integer(),
      flatten: z.boolean().default(false),
      reason: commandReason().optional(),
    }),
  },
  output: deploymentControlOut,
  errors: ['deployment_unknown', 'platform_token_insufficient', 'state_conflict', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId, deployment_id: id, flatten, reason } }, call) =>
    presentControl(
      await commandOwn(
        call,
        userId,
        id,
        { action: 'stop', by: 'user', reason: reasonOf(reason), flatten },
        {
          check: (before) => {
            if (flatten) requireOwnerOfReal(call, before);
          },
        },
      ),
    ),
});
