import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { requireOwnSession } from '../../shared/api/own-session.ts';
import { unknownDeployment, unknownUser } from '../../shared/api/refusals.ts';
import { admitUser } from '../../shared/api/user-terms.ts';
import type { User } from '../../shared/data/users/users.ts';
import type { Limits } from '../../shared/domain/risk/limits.ts';
import { limitsInput } from '../../shared/domain/risk/limits-input.ts';
import { areLooser } from '../../shared/domain/risk/looser-limits.ts';
import { readableText } from '../../shared/domain/text.ts';
import { setDeploymentLimits, setUserLimits } from '../../shared/lifecycle/risk-limits.ts';
import { presentRiskLimits, riskLimitsOut } from './records/risk-limits.ts';

const body = z.strictObject({
  limits: limitsInput,
  reason: readableText({ max: 500 }).optional(),
});

type Body = z.output<typeof body>;

/** Returns a change of limits. Raising or ending one needs a step-up, lowering one does not. */
const changeOf = (call: Call, { limits, reason }: Body) => ({
  limits,
  reason,
  check: (user: User, before: Limits): void => {
    if (areLooser(before, limits)) admitUser(user, call.session, { stepUp: 'always' }, call.now);
  },
});

const ofUser = async (call: Call, userId: string, change: Body) => {
  const user = await setUserLimits(call, userId, changeOf(call, change));
  if (!user) throw unknownUser();
  return presentRiskLimits(user, undefined, new Map(), call.now);
};

const ofDeployment = async (call: Call, userId: string, id: number, change: Body) => {
  const set = await setDeploymentLimits(call, id, userId, changeOf(call, change));
  if (!set) throw unknownDeployment();
  if (!set.changed) {
    throw new HubError('state_conflict', `The deployment is ${set.deployment.status} and takes no limits.`);
  }
  return presentRiskLimits(set.user, set.deployment, new Map(), call.now);
};

export const setRiskLimits = defineOperation({
  method: 'POST',
  path: '/set_risk_limits',
  name: 'set_risk_limits',
  summary: 'Set risk limits',
  description:
    'Sets the limits of one deployment, or without `deployment_id` those of the user, which apply to each of its ' +
    'trading deployments. They replace the stored limits of their level; an empty object removes them. The strictest ' +
    'of plan, user and deployment applies. Amounts are in the currency of the deployment. Limits of the user reach ' +
    'running deployments within seconds. Raising or ending a limit of the user or of a real deployment needs a step-up. Needs the session of the owner.',
  caller: 'user',
  scope: 'trade:real',
  extension: true,
  input: {
    query: z.object({ user_id: z.string(), deployment_id: integer().optional() }),
    json: body,
  },
  output: riskLimitsOut,
  errors: [
    'user_unknown',
    'deployment_unknown',
    'state_conflict',
    'platform_token_insufficient',
    'step_up_required',
    'changed_meanwhile',
  ],
  table: 'write',
  handler: async ({ query: { user_id: userId, deployment_id: id }, json }, call) => {
    requireOwnSession(
      call,
      'Setting risk limits requires the session of the owner. Sign in.',
      'sets no limits',
    );
    return id === undefined ? ofUser(call, userId, json) : ofDeployment(call, userId, id, json);
  },
});
