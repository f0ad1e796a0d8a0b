import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { integer } from '../../shared/api/fields.ts';
import { defineOperation } from '../../shared/api/operation.ts';
import { unknownDeployment } from '../../shared/api/refusals.ts';
import { hasRealOrders } from '../../shared/data/deployments/deployments.ts';
import {
  askedAgainWrite,
  findProtections,
  type Protection,
} from '../../shared/data/execution/protections.ts';
import type { Message } from '../../shared/data/outbox/messages.ts';
import { normaliseSymbol } from '../../shared/domain/instruments/instruments.ts';
import { PROTECTION_REQUESTED } from '../../shared/domain/orders/order-request-schema.ts';
import { changeDeployment } from '../../shared/lifecycle/deployment-change.ts';
import { requireOwner } from './require-owner.ts';

/** States in which exits are still to be placed, or the broker has refused them. */
const TO_PLACE: ReadonlySet<Protection['state']> = new Set(['changing', 'refused']);

const isToPlace = ({ state, due_at }: Protection): boolean => due_at !== undefined && TO_PLACE.has(state);

/** Returns the message that lets the adapter look at a protection at once. Its number moves no level. */
const messageOf = (protection: Protection, now: Date): Message => {
  const { deployment_id, user_id, broker_id, entry, symbol, broker_symbol, adapter, account_id } = protection;
  return {
    kind: 'order_request',
    user_id,
    ...(broker_id !== undefined && { broker_id }),
    request: {
      type: PROTECTION_REQUESTED,
      detail: {
        version: 1,
        deployment_id,
        client_order_id: entry,
        symbol,
        broker_symbol,
        adapter,
        account: account_id,
        occurred_at: now.toISOString(),
        number: 0,
      },
    },
  };
};

const nothingToPlace = (): HubError =>
  new HubError(
    'state_conflict',
    'No exits of this symbol are to be placed: /get_broker_state tells what stands at the broker.',
  );

const placeAgain = async (call: Call, userId: string, id: number, symbol: string): Promise<void> => {
  await changeDeployment(call, id, async (found, now) => {
    if (found?.user_id !== userId || !hasRealOrders(found)) throw unknownDeployment();
    const asked = (await findProtections(call.store, id, symbol)).filter(isToPlace);
    if (asked.length === 0) throw nothingToPlace();
    return {
      deployment: found,
      notifications: [],
      writes: asked.map((one) => askedAgainWrite(one, now)),
      messages: asked.map((one) => messageOf(one, now)),
    };
  });
};

export const placeProtection = defineOperation({
  method: 'POST',
  path: '/place_protection',
  name: 'place_protection',
  summary: 'Place the exits of a position at the broker again',
  description:
    'Lets the hub try at once, instead of within a minute, to place the stop and the target of a position whose broker has refused them or does not have them yet. Without such exits 409. Always requires the session of the user; it needs no step-up.',
  caller: 'user',
  extension: true,
  scope: 'trade:real',
  input: { query: z.object({ user_id: z.string(), deployment_id: integer(), symbol: z.string() }) },
  output: z.object({ asked: z.literal(true) }),
  errors: [
    'session_required',
    'platform_token_insufficient',
    'deployment_unknown',
    'state_conflict',
    'changed_meanwhile',
  ],
  table: 'write',
  handler: async ({ query: { user_id: userId, deployment_id: id, symbol } }, call) => {
    requireOwner(call);
    const known = normaliseSymbol(symbol);
    if (known === undefined) throw nothingToPlace();
    await placeAgain(call, userId, id, known);
    return { asked: true };
  },
});
