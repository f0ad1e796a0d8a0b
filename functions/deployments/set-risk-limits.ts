import * as z from 'zod';
import { keyFacts } from '../../shared/api/api-key-caller.ts';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { requireOwnSession } from '../../shared/api/own-session.ts';
import { invalidValue, unknownDeployment, unknownUser } from '../../shared/api/refusals.ts';
import { admitUser, type UserTerms } from '../../shared/api/user-terms.ts';
import { readTotals } from '../../shared/data/users/risk-totals.ts';
import type { User } from '../../shared/data/users/users.ts';
import type { Limits } from '../../shared/domain/risk/limits.ts';
import { limitsInput, overallLimitsInput } from '../../shared/domain/risk/limits-input.ts';
import { areLooser } from '../../shared/domain/risk/looser-limits.ts';
import { areLooserOverall } from '../../shared/domain/risk/overall.ts';
import { readableText } from '../../shared/domain/text.ts';
import { setDeploymentLimits, setOverallLimits, setUserLimits } from '../../shared/lifecycle/risk-limits.ts';
import { parseCurrency } from './accounts/currencies.ts';
import { presentRiskLimits, riskLimitsOut } from './records/risk-limits.ts';

const body = z.strictObject({
  limits: limitsInput.optional(),
  /** Limits over all deployments with real orders together. */
  all: overallLimitsInput.optional(),
  reason: readableText({ max: 500 }).optional(),
});

type Body = z.output<typeof body>;

/** Terms of raising or ending a limit: it lets more be traded. */
const LOOSENING: UserTerms = { stepUp: 'always', waits: true };

/** Change of the limits of one level. */
interface Change {
  readonly limits: NonNullable<Body['limits']>;
  readonly reason: string | undefined;
}

/** Returns a change of limits. Raising or ending one needs a step-up, lowering one does not. */
const changeOf = (call: Call, { limits, reason }: Change) => ({
  limits,
  reason,
  details: keyFacts(call),
  check: (user: User, before: Limits): void => {
    if (areLooser(before, limits)) admitUser(user, call.session, LOOSENING, call.now);
  },
});

const shownTo = async (call: Call, user: User) =>
  presentRiskLimits(
    user,
    undefined,
    { prices: new Map(), totals: await readTotals(call.store, user.user_id) },
    call.now,
  );

const ofUser = async (call: Call, userId: string, change: Change) => {
  const user = await setUserLimits(call, userId, changeOf(call, change));
  if (!user) throw unknownUser();
  return shownTo(call, user);
};

/** Sets the limits over all deployments; without any they end. Going on after one was reached needs a step-up, too. */
const ofAll = async (
  call: Call,
  userId: string,
  given: NonNullable<Body['all']>,
  reason: string | undefined,
) => {
  const { currency, action, ...amounts } = given;
  const isAny = Object.values(amounts).some((value) => value !== undefined);
  const all = isAny
    ? { ...amounts, currency: parseCurrency(currency), ...(action && { action }) }
    : undefined;
  const user = await setOverallLimits(call, userId, {
    all,
    reason,
    details: keyFacts(call),
    check: (owner, before, isTripped) => {
      if (!isTripped && !areLooserOverall(before, all)) return;
      admitUser(owner, call.session, LOOSENING, call.now);
    },
  });
  if (!user) throw unknownUser();
  return shownTo(call, user);
};

const ofDeployment = async (call: Call, userId: string, id: number, change: Change) => {
  const set = await setDeploymentLimits(call, id, userId, changeOf(call, change));
  if (!set) throw unknownDeployment();
  if (!set.changed) {
    throw new HubError('state_conflict', `The deployment is ${set.deployment.status} and takes no limits.`);
  }
  const known = { prices: new Map(), totals: undefined };
  return presentRiskLimits(set.user, set.deployment, known, call.now);
};

/** Returns the limits of one level, or those over all. @throws ValidationError for both or neither */
const requireOne = ({ limits, all }: Body, id: number | undefined): void => {
  if (limits && all) throw invalidValue(['body', 'all'], 'only one of limits and all', 'value_error.extra');
  if (!limits && !all) throw invalidValue(['body', 'limits'], 'field required', 'value_error.missing');
  if (all && id !== undefined) {
    throw invalidValue(
      ['body', 'all'],
      'limits over all deployments are of no single one',
      'value_error.extra',
    );
  }
};

export const setRiskLimits = defineOperation({
  method: 'POST',
  path: '/set_risk_limits',
  name: 'set_risk_limits',
  summary: 'Set risk limits',
  description:
    'Sets the limits of one deployment, or without `deployment_id` those of the user, which apply to each of its ' +
    'trading deployments, or with `all` those over all deployments with real orders together. They replace the stored limits of their level; an empty object removes them. The strictest ' +
    'of plan, user and deployment applies. Amounts are in the currency of the deployment. Limits of the user reach ' +
    'running deployments within seconds. Limits over all are in one currency; no entry of a deployment in another one leaves while there are some of amounts. Setting those that were reached lets trading go on. Raising or ending a limit of the user or of a real deployment needs a step-up, and waits after a recovery of the account. Needs the session of the owner.',
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
    'recovery_wait',
    'changed_meanwhile',
  ],
  table: 'write',
  handler: async ({ query: { user_id: userId, deployment_id: id }, json }, call) => {
    requireOwnSession(
      call,
      'Setting risk limits requires the session of the owner. Sign in.',
      'sets no limits',
    );
    requireOne(json, id);
    const { limits = {}, all, reason } = json;
    if (all) return ofAll(call, userId, all, reason);
    return id === undefined
      ? ofUser(call, userId, { limits, reason })
      : ofDeployment(call, userId, id, { limits, reason });
  },
});
