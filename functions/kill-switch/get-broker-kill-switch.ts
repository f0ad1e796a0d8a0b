import * as z from 'zod';
import { extensionRecord, timestamp } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { pageFields, pageQuery, toPage } from '../../shared/api/pages.ts';
import { RISK_ERRORS, riskBroker, riskUser } from '../../shared/callers/linked-user.ts';
import { headIn, headKey } from '../../shared/data/numbered-list/numbered-list.ts';
import { shownSwitches } from '../../shared/data/switches/shown-switches.ts';
import {
  brokerTrail,
  readTrail,
  SWITCH_ACTIONS,
  type TrailEntry,
} from '../../shared/data/switches/switch-trail.ts';
import { SWITCH_HOLDERS, switchKeys, thrownSwitches } from '../../shared/data/switches/switches.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { NO_USER } from '../../shared/data/users/users.ts';
import { presentThrown, thrownSwitchOut } from './records/switch.ts';

const trailEntryOut = extensionRecord(
  'KillSwitchTrailEntry',
  z.object({
    at: timestamp(),
    action: z.enum(SWITCH_ACTIONS),
    by: z.enum(SWITCH_HOLDERS),
    reason: z.string(),
    user_email: z.string().nullable(),
    flatten: z.boolean(),
  }),
);

const presentEntry = ({ at, action, by, reason, details }: TrailEntry): z.output<typeof trailEntryOut> => ({
  at,
  action,
  by,
  reason,
  user_email: details.user_email ?? null,
  flatten: details.flatten,
});

export const getBrokerKillSwitch = defineOperation({
  method: 'GET',
  path: '/broker/get_kill_switch',
  name: 'get_broker_kill_switch',
  summary: 'Read the kill switches of a broker, and who threw them',
  description:
    'The thrown switches that cover deployments at the calling broker, with `user_email` also those that it threw over the user; and a page of all that were ever thrown and re-armed, newest first. Needs the scope `broker:risk`.',
  caller: 'integrator',
  extension: true,
  input: { query: z.object({ user_email: z.string().optional(), ...pageQuery }) },
  output: extensionRecord(
    'BrokerKillSwitch',
    z.object({ thrown: z.boolean(), switches: z.array(thrownSwitchOut), ...pageFields(trailEntryOut) }),
  ),
  errors: RISK_ERRORS,
  table: 'read',
  handler: async ({ query: { user_email, ...choice } }, call) => {
    const { broker, user } =
      user_email === undefined
        ? { broker: await riskBroker(call), user: undefined }
        : await riskUser(call, user_email);
    const { broker_id } = broker;
    const scope = { user_id: user?.user_id ?? NO_USER, broker_id };
    const list = brokerTrail(broker_id);
    const items = await call.store.getMany([...switchKeys(scope), headKey(list)], { consistent: true });
    // The broker does not learn that users stopped their own deployments.
    const switches = thrownSwitches(shownSwitches(items, scope, call)).filter(
      ({ level, by }) => level !== 'user' || by === 'broker',
    );
    const head = headIn(list, itemWith(items, headKey(list)));
    const { entries, total } = await readTrail(call.store, list, { ...choice, head }, call.onDamaged);
    return {
      thrown: switches.length > 0,
      switches: switches.map(presentThrown),
      ...toPage(entries.map(presentEntry), total, choice),
    };
  },
});
