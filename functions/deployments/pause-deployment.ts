import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { commandOwn, commandReason, reasonOf } from './commands/command.ts';
import { deploymentControlOut, presentControl } from './records/control.ts';

export const pauseDeployment = defineOperation({
  method: 'POST',
  path: '/pause_deployment',
  name: 'pause_deployment',
  summary: 'Pause a deployment',
  description:
    'Of any kind. While it is paused, a deployment that trades opens no position; orders that wait for an entry are ' +
    'cancelled, and stops, targets and exits go on. A notification deployment raises no signals, a scanner reports no ' +
    'matches. An event notifies the engine; only `/resume_deployment` ends the pause. A deployment that is paused already ' +
    'stays as it is.',
  caller: 'user',
  scope: 'trade:paper',
  extension: true,
  assistant: { description: 'Pauses a paper deployment. Open positions stay.', idempotent: true },
  input: {
    query: z.object({ user_id: z.string(), deployment_id: integer(), reason: commandReason().optional() }),
  },
  output: deploymentControlOut,
  errors: ['deployment_unknown', 'state_conflict', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id: userId, deployment_id: id, reason } }, call) =>
    presentControl(
      await commandOwn(call, userId, id, { action: 'pause', by: 'user', reason: reasonOf(reason) }),
    ),
});
