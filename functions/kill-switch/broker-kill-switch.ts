import * as z from 'zod';
import { defineOperation } from '../../shared/api/operation.ts';
import { RISK_ERRORS, riskBroker, riskUser } from '../../shared/callers/linked-user.ts';
import { changeSwitch, switchRequest } from './common/switch-request.ts';
import { switchChangeOut } from './records/switch.ts';

export const brokerKillSwitch = defineOperation({
  method: 'POST',
  path: '/broker/kill_switch',
  name: 'broker_kill_switch',
  summary: 'Stop all orders at the broker at once, or allow them again',
  description:
    'Covers the deployments at the calling broker: of all users, or of the user with `user_email`. Deployments elsewhere go on. Needs the scope `broker:risk`. See `/kill_switch` for the effect.',
  caller: 'integrator',
  extension: true,
  input: { query: z.object({ user_email: z.string().optional() }), json: switchRequest },
  output: switchChangeOut,
  errors: [...RISK_ERRORS, 'changed_meanwhile'],
  table: 'write',
  recheck: ({ query: { user_email } }, call) =>
    user_email === undefined ? riskBroker(call) : riskUser(call, user_email),
  handler: async ({ query: { user_email }, json }, call) => {
    if (user_email === undefined) {
      const { broker_id } = await riskBroker(call);
      const actor = { by: 'broker', broker_id } as const;
      return changeSwitch(call, json, { subject: { level: 'broker', broker_id }, actor });
    }
    const { broker, user } = await riskUser(call, user_email);
    return changeSwitch(call, json, {
      subject: { level: 'user', user_id: user.user_id },
      actor: { by: 'broker', broker_id: broker.broker_id },
      details: { user_email: user.email },
    });
  },
});
