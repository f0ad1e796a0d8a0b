import * as z from 'zod';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue } from '../../shared/api/refusals.ts';
import { admitUser } from '../../shared/api/user-terms.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { asUser } from '../../shared/data/users/users.ts';
import { requireOwnerOfReal } from './accounts/own-real.ts';
import { commandOwn, commandReason, reasonOf } from './commands/command.ts';
import { resumeGuard } from './commands/resume-guard.ts';
import { deploymentControlOut, presentControl } from './records/control.ts';

export const resumeDeployment = defineOperation({
  method: 'POST',
  path: '/resume_deployment',
  name: 'resume_deployment',
  summary: 'Resume a paused or halted deployment',
  description:
    'Lifts a pause or a halt. If others than the owner paused or halted the deployment (a risk limit, a kill switch, the ' +
    'broker, the operator), `reason` is required. An event notifies the engine. A deployment that runs stays as it is. ' +
    'Real orders require the session of the owner, and a step-up.',
  caller: 'user',
  scope: 'trade:paper',
  extension: true,
  assistant: {
    description: 'Resumes a paused paper deployment. Ask the user before you call it.',
    idempotent: true,
  },
  input: {
    query: z.object({ user_id: z.string(), deployment_id: integer(), reason: commandReason().optional() }),
  },
  output: deploymentControlOut,
  errors: [
    'deployment_unknown',
    'platform_token_insufficient',
    'step_up_required',
    'recovery_wait',
    'state_conflict',
    'kill_switch',
    'changed_meanwhile',
  ],
  table: 'write',
  handler: async ({ query: { user_id: userId, deployment_id: id, reason } }, call) =>
    presentControl(
      await commandOwn(
        call,
        userId,
        id,
        { action: 'resume', by: 'user', reason: reasonOf(reason) },
        {
          ...resumeGuard(call.store, userId, call.now),
          check: (before, items) => {
            const owner = asUser(itemWith(items, keys.user(userId)));
            if (requireOwnerOfReal(call, before) && owner) {
              admitUser(owner, call.session, { stepUp: 'always', waits: true }, call.now);
            }
            const { held } = before;
            if (reason === undefined && held && held.by !== 'user') {
              throw invalidValue(['query', 'reason'], 'field required', 'value_error.missing');
            }
          },
        },
      ),
    ),
});
