import * as z from 'zod';
import { keyFacts } from '../../shared/api/api-key-caller.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { requireOwnSession } from '../../shared/api/own-session.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import type { ReadSwitch } from '../../shared/data/switches/switch-changes.ts';
import { holdingBrokers } from '../../shared/data/switches/switches.ts';
import { type Items, itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { asUser, linksOf } from '../../shared/data/users/users.ts';
import { changeSwitch, switchRequest } from './common/switch-request.ts';
import { switchChangeOut } from './records/switch.ts';

export const killSwitch = defineOperation({
  method: 'POST',
  path: '/kill_switch',
  name: 'kill_switch',
  summary: 'Stop all orders of a user at once, or allow them again',
  description:
    'While the switch is thrown, no order leaves, nothing is deployed or resumed, and all deployments are halted within seconds; `flatten` also cancels orders and closes positions. `re_arm` clears the switch; deployments stay halted until they are resumed one by one. Switches that a broker or the operator threw stay thrown, except those of brokers that the user has left. Re-arming needs a step-up. Requires the session of the owner.',
  caller: 'user',
  scope: 'trade:real',
  stepUp: ({ json }) => (json.action === 're_arm' ? 'always' : 'never'),
  waits: ({ json }) => json.action === 're_arm',
  extension: true,
  input: { query: z.object({ user_id: z.string() }), json: switchRequest },
  output: switchChangeOut,
  errors: ['user_unknown', 'platform_token_insufficient', 'changed_meanwhile'],
  table: 'write',
  handler: async ({ query: { user_id }, json }, call) => {
    requireOwnSession(
      call,
      'The kill switch requires the session of the owner. Sign in.',
      'throws no kill switch',
    );
    const own = keys.user(user_id);
    const check = (items: Items): void => {
      if (!itemWith(items, own)) throw unknownUser();
    };
    // A broker that the user has left reaches the switch no longer.
    const abandonedBy = (items: Items, { stored }: ReadSwitch): number[] => {
      const user = asUser(itemWith(items, own));
      const linked = new Set((user ? linksOf(user) : []).map(({ broker_id }) => broker_id));
      return holdingBrokers(stored).filter((id) => !linked.has(id));
    };
    const command = {
      subject: { level: 'user', user_id },
      actor: { by: 'user' },
      details: keyFacts(call),
    } as const;
    return changeSwitch(call, json, command, { keys: [own], check, abandonedBy });
  },
});
