import * as z from 'zod';
import { extensionRecord } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownUser } from '../../shared/api/refusals.ts';
import { asHalt } from '../../shared/data/switches/halts.ts';
import { shownSwitch, shownSwitches } from '../../shared/data/switches/shown-switches.ts';
import { holdingBrokers, switchKeys, thrownSwitches } from '../../shared/data/switches/switches.ts';
import { placeByKey, readable } from '../../shared/data/table/damaged-items.ts';
import { itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { asUser, linksOf } from '../../shared/data/users/users.ts';
import { haltingOut, presentHalting, presentThrown, thrownSwitchOut } from './records/switch.ts';

const killSwitchOut = extensionRecord(
  'KillSwitch',
  z.object({
    thrown: z.boolean(),
    switches: z.array(thrownSwitchOut),
    halting: haltingOut.nullable(),
  }),
);

export const getKillSwitch = defineOperation({
  method: 'GET',
  path: '/get_kill_switch',
  name: 'get_kill_switch',
  summary: 'Read the kill switches that cover a user',
  description:
    'All thrown switches that cover deployments of the user: their own, those of their brokers and that of the service, with the time, the reason and who threw them.',
  caller: 'user',
  scope: 'read',
  extension: true,
  assistant: {
    description: 'Tells whether a kill switch stops the orders of the user. Only the user can arm it again.',
  },
  input: { query: z.object({ user_id: z.string() }) },
  output: killSwitchOut,
  errors: ['user_unknown'],
  table: 'read',
  handler: async ({ query: { user_id } }, call) => {
    const first = await call.store.getMany([keys.user(user_id), ...switchKeys({ user_id })], {
      consistent: true,
    });
    const user = asUser(itemWith(first, keys.user(user_id)));
    if (!user) throw unknownUser();
    const linked = linksOf(user).map(({ broker_id }) => broker_id);
    // Also brokers that the user has left.
    const shown = shownSwitches(first, { user_id }, call);
    const brokerIds = [...new Set([...linked, ...holdingBrokers(shown.user)])];
    const everywhere = thrownSwitches(shown);
    const throwId = everywhere.find(({ by, level }) => level === 'user' && by === 'user')?.throw_id;
    const wanted = [
      ...brokerIds.map(keys.brokerSwitch),
      ...(throwId === undefined ? [] : [keys.halt(throwId)]),
    ];
    const more = wanted.length === 0 ? [] : await call.store.getMany(wanted, { consistent: true });
    const atBrokers = brokerIds.flatMap((broker_id) => {
      const broker = shownSwitch(more, keys.brokerSwitch(broker_id), 'broker', call);
      const scope = { user_id, broker_id };
      return thrownSwitches({ scope, user: shown.user, broker, service: undefined }).filter(
        (one) => one.broker_id !== undefined,
      );
    });
    const stored = throwId === undefined ? undefined : itemWith(more, keys.halt(throwId));
    const halt = readable(asHalt, stored, placeByKey, call.onDamaged);
    const switches = [...everywhere, ...atBrokers].map(presentThrown);
    return { thrown: switches.length > 0, switches, halting: halt ? presentHalting(halt) : null };
  },
});
