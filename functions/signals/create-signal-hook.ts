import { createHash } from 'node:crypto';
import * as z from 'zod';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { invalidValue, unknownDeployment } from '../../shared/api/refusals.ts';
import { requireUserTerms } from '../../shared/api/user-terms.ts';
import { originOf } from '../../shared/callers/origin.ts';
import {
  asDeployment,
  type Deployment,
  isHubRun,
  takesSignals,
} from '../../shared/data/deployments/deployments.ts';
import { hookIn, newHookWrite, tokenOf } from '../../shared/data/signals/signal-hooks.ts';
import type { Items } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { securityEventWrite } from '../../shared/data/users/security-events.ts';
import { isFinalDeploymentStatus } from '../../shared/domain/deployments/deployment-states.ts';
import { changeDeployment } from '../../shared/lifecycle/deployment-change.ts';
import type { Effect, NotificationText } from '../../shared/lifecycle/effect.ts';
import { applyStatusReport } from '../../shared/lifecycle/reports/apply-status.ts';
import { STARTED } from '../../shared/lifecycle/reports/report.ts';
import { requireHookOwner } from './own-hook.ts';
import { maxQuantityOf, placesRealOrders, requireLimits } from './real-terms.ts';
import { newSignalHookOut, presentHook } from './records/signal-hook.ts';
import { type CostsForm, costsForm, openSignalAccount, signalAccountKeys } from './signal-account.ts';

/** Bytes of the secret of a token; 32 characters of base64url. */
const SECRET_BYTES = 24;

/** Messages for alerts of TradingView. It replaces the names in braces. */
const TEMPLATES = {
  order:
    '{"action": "{{strategy.order.action}}", "symbol": "{{ticker}}", "quantity": "{{strategy.order.contracts}}", "price": "{{close}}", "time": "{{timenow}}"}',
  real: '{"id": "{{strategy.order.id}} {{strategy.order.action}} {{strategy.order.contracts}} {{timenow}}", "time": "{{timenow}}", "action": "{{strategy.order.action}}", "symbol": "{{ticker}}", "quantity": "{{strategy.order.contracts}}"}',
  notification: '{"action": "buy", "symbol": "{{ticker}}", "price": "{{close}}", "time": "{{timenow}}"}',
} as const;

/** @throws HubError strategy_unsuitable, engine_external, state_conflict */
const requireDriveable = (deployment: Deployment): void => {
  if (deployment.kind === 'scanner') {
    throw new HubError('strategy_unsuitable', 'A scanner takes no signals.');
  }
  if (isHubRun(deployment) && !takesSignals(deployment)) {
    throw new HubError('strategy_unsuitable', 'The rules of the strategy run this deployment.');
  }
  if (placesRealOrders(deployment)) requireLimits(deployment);
  else if (deployment.kind === 'live' && deployment.mode === 'live') {
    throw new HubError(
      'strategy_unsuitable',
      'Signals place real orders on an account of /connect_execution: deploy with its account_id, and without broker_id.',
    );
  }
  if (deployment.source !== undefined) {
    throw new HubError('engine_external', 'An execution engine already runs this deployment.');
  }
  if (isFinalDeploymentStatus(deployment.status)) {
    throw new HubError('state_conflict', 'The deployment has ended.');
  }
};

/** @throws ValidationError for terms of an account that has begun, or of a deployment without one. */
const refuseCosts = (form: CostsForm): void => {
  const [name] = Object.entries(form).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  throw invalidValue(
    ['body', name],
    'the first address of a paper deployment sets its costs',
    'value_error.costs',
  );
};

/** Opens the account of a paper deployment with its first address: signals are its engine. */
const opened = (deployment: Deployment, form: CostsForm, items: Items, now: Date): Effect => {
  if (deployment.kind === 'live' && !takesSignals(deployment)) {
    return openSignalAccount(deployment, form, items, now);
  }
  refuseCosts(form);
  return { deployment, notifications: [] };
};

/** Starts a deployment that waits for an engine. */
const started = (effect: Effect, now: Date): Effect => {
  const { deployment, at = now } = effect;
  const { deployment_id, status } = deployment;
  if (status !== 'requested') return effect;
  const occurred_at = at.toISOString();
  const begun = applyStatusReport(deployment, STARTED.ofHub({ deployment_id, occurred_at }), {
    digest: createHash('sha256').update(`signals ${occurred_at}`).digest('base64url').slice(0, 16),
    item: undefined,
    now,
  });
  return begun
    ? { ...effect, ...begun, writes: [...(effect.writes ?? []), ...(begun.writes ?? [])] }
    : effect;
};

/** Returns the notification of an address. It stays after a password reset, so an intruder must not make one unseen. */
const madeText = ({ strategy_name }: Deployment): NotificationText => ({
  kind: 'signal_hook_created',
  severity: 'warning',
  title: `${strategy_name} has a new address for signals`,
  body: 'Who has the address can send signals. If this was not you: revoke it, and set a new password.',
  data: {},
});

export const createSignalHook = defineOperation({
  method: 'POST',
  path: '/create_signal_hook',
  name: 'create_signal_hook',
  summary: 'Make the address at which a deployment takes signals',
  description:
    'For a deployment of a strategy without rules: on paper, whose signals are orders; for notifications; or with real orders on an account of `/connect_execution`. The last needs a step-up, risk limits (a loss of a day, and the value of an order or a position) and `max_quantity`, the largest quantity of an order. The answer shows the address once. A new address replaces the one before, which ends at once. A deployment that waits for an engine starts. The user is notified by all channels. Requires the session of the owner.',
  caller: 'user',
  proven: true,
  extension: true,
  input: {
    query: z.object({ user_id: z.string(), deployment_id: integer() }),
    form: z.object({ max_quantity: z.string().max(64).optional(), ...costsForm }),
  },
  output: newSignalHookOut,
  errors: [
    'user_unknown',
    'deployment_unknown',
    'platform_token_insufficient',
    'strategy_unsuitable',
    'engine_external',
    'step_up_required',
    'recovery_wait',
    'risk_limit',
    'state_conflict',
    'answer_shown_once',
    'changed_meanwhile',
  ],
  table: 'write',
  handler: async (
    { query: { user_id: userId, deployment_id: id }, form: { max_quantity, ...form } },
    call,
  ) => {
    requireHookOwner(call);
    const known = asDeployment((await call.store.getMany([keys.deployment(id)], { consistent: true }))[0]);
    if (known?.user_id !== userId) throw unknownDeployment();
    const isReal = placesRealOrders(known);
    if (isReal) await requireUserTerms(call, { stepUp: 'always', waits: true });
    const cap = { max_quantity: maxQuantityOf(max_quantity, isReal) };
    const owner = await call.user();
    const made = { kind: 'signal_address_made', ...originOf(call), now: call.now } as const;
    const token = tokenOf(id, call.random(SECRET_BYTES).toString('base64url'));
    let created_at = '';
    let signalled_at: string | undefined;
    const deployment = await changeDeployment(
      call,
      id,
      async (before, now, items) => {
        if (before?.user_id !== userId) throw unknownDeployment();
        requireDriveable(before);
        const hook = hookIn(items, id);
        created_at = now.toISOString();
        signalled_at = hook?.signalled_at;
        const effect = started(opened(before, form, items, now), now);
        return {
          ...effect,
          notifications: [...effect.notifications, madeText(before)],
          writes: [
            ...(effect.writes ?? []),
            newHookWrite(hook, { deployment_id: id, token, ...cap }, now),
            securityEventWrite(owner, made),
          ],
          audit: { action: 'signal_hook_created', by: 'user', reason: 'An address for signals was made.' },
        };
      },
      [keys.signalHook(id), ...(known.kind === 'live' ? signalAccountKeys(known) : [])],
    );
    if (!deployment) throw unknownDeployment();
    call.showOnce();
    const shown = presentHook({ deployment_id: id, created_at, signalled_at, ...cap }, deployment);
    return {
      ...shown,
      url: `${call.settings.HUB_PUBLIC_URL}/hooks/${token}`,
      template: TEMPLATES[isReal ? 'real' : shown.effect],
    };
  },
});
