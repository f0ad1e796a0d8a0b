import * as z from 'zod';
import type { Call } from '../../shared/api/call.ts';
import { HubError } from '../../shared/api/errors.ts';
import { extensionRecord } from '../../shared/api/fields.ts';
import { defineOperation, type Refused } from '../../shared/api/operation.ts';
import { asDeployment, type Deployment } from '../../shared/data/deployments/deployments.ts';
import { noteRefusedAlert } from '../../shared/data/signals/refused-alerts.ts';
import {
  countedSignalWrite,
  deploymentOfToken,
  hookIn,
  isTokenOf,
  type SignalHook,
  signalsOf,
} from '../../shared/data/signals/signal-hooks.ts';
import { type Items, itemWith } from '../../shared/data/table/items.ts';
import { keys } from '../../shared/data/table/keys.ts';
import { noteSecurityEvent } from '../../shared/data/users/security-events.ts';
import { findUser } from '../../shared/data/users/users.ts';
import { changeDeployment } from '../../shared/lifecycle/deployment-change.ts';
import type { Effect } from '../../shared/lifecycle/effect.ts';
import { type Alert, digestsOf, readAlert, requireReal, requireTimely, signalIn } from './alert.ts';
import { decideNotification } from './decide-notification.ts';
import { type AskedOrder, decideOrder } from './decide-order.ts';
import { unknownHook } from './own-hook.ts';
import { readSignalText } from './read-text.ts';
import { placesRealOrders } from './real-terms.ts';
import { isRepeat, repeatKeys } from './repeats.ts';
import { shownText } from './shown-text.ts';

/** Signals that take effect, of one hook. */
const MOST_A_MINUTE = 30;
const MOST_A_DAY = 2000;
const MINUTE_S = 60;
const DAY_S = 86_400;

const orderOut = extensionRecord(
  'SignalOrder',
  z.object({
    client_order_id: z.string(),
    symbol: z.string(),
    side: z.enum(['buy', 'sell']),
    quantity: z.string(),
    price: z.string().nullable(),
  }),
);

const signalOut = extensionRecord(
  'SignalTaken',
  z.object({
    result: z.enum(['taken', 'repeated']),
    order: orderOut.nullable(),
    note: z.string().nullable(),
  }),
);

/** @throws HubError too_many_signals */
const requireRate = (hook: SignalHook, now: Date): void => {
  const { inMinute, inDay } = signalsOf(hook, now);
  const isDay = inDay >= MOST_A_DAY;
  if (!isDay && inMinute < MOST_A_MINUTE) return;
  const span = isDay ? DAY_S : MINUTE_S;
  throw new HubError(
    'too_many_signals',
    `This address takes ${MOST_A_MINUTE} signals a minute and ${MOST_A_DAY} a day.`,
    { retryAfterS: span - (Math.floor(now.getTime() / 1000) % span) },
  );
};

/** @throws HubError state_conflict */
const requireActive = ({ status }: Deployment): void => {
  if (status === 'active') return;
  throw new HubError('state_conflict', `The deployment is ${status} and takes no signals.`);
};

/** Result of deciding a signal. */
interface Decided {
  /** Undefined for a repeat. */
  readonly effect: Effect | undefined;
  readonly order: AskedOrder | undefined;
  /** Names the amounts that were rounded. */
  readonly note: string | undefined;
}

/** Decides a signal. @throws HubError */
const decide = async (
  call: Call,
  deployment: Deployment,
  alert: Alert,
  known: { readonly now: Date; readonly items: Items; readonly hook: SignalHook },
): Promise<Decided> => {
  if (isRepeat(known.items, deployment, alert.digests, known.now)) {
    return { effect: undefined, order: undefined, note: undefined };
  }
  requireActive(deployment);
  switch (deployment.kind) {
    case 'live':
      if (placesRealOrders(deployment)) {
        // Loaded late: most alerts trade on paper, and the first one of a function waits for what it loads.
        const { decideRealOrder } = await import('./decide-real-order.ts');
        return decideRealOrder(call, deployment, alert, known);
      }
      return decideOrder(call, deployment, alert, known);
    case 'notification':
      return {
        effect: await decideNotification(call, deployment, alert, known.now),
        order: undefined,
        note: alert.note,
      };
    default:
      throw unknownHook();
  }
};

/** Returns why an alert was refused, for its owner. */
const reasonOf = (error: Refused['error']): string => {
  if (error instanceof HubError) return error.message;
  const [first] = error.detail;
  return first ? `${first.loc.join('.')}: ${first.msg}` : error.message;
};

/** Notes a refused alert for the owner, who would not see it otherwise. Strangers, who do not know the address, write nothing. */
const noteRefusal = async ({ runtime, error, params, text }: Refused): Promise<void> => {
  const { token = '' } = params;
  const { store, clock } = runtime;
  const id = deploymentOfToken(token);
  if (id === undefined) return;
  const items = await store.getMany([keys.signalHook(id), keys.deployment(id)], { consistent: true });
  const hook = hookIn(items, id);
  const deployment = asDeployment(itemWith(items, keys.deployment(id)));
  if (!hook || !isTokenOf(hook, token) || !deployment) return;
  const now = clock();
  const code = error instanceof HubError ? error.code : 'invalid';
  const alert = { at: now.toISOString(), code, reason: reasonOf(error), text: shownText(text) };
  await noteRefusedAlert(store, id, alert, now);
  const owner = await findUser(store, deployment.user_id);
  if (owner) await noteSecurityEvent(store, owner, { kind: 'signals_refused', detail: code, now });
};

export const receiveSignal = defineOperation({
  method: 'POST',
  path: '/hooks/{token}',
  name: 'receive_signal',
  summary: 'Take a signal from outside',
  description:
    'For alerts of TradingView and other senders of JSON. The address is that of `/create_signal_hook`; nobody else needs to be signed in. On a paper deployment the signal is a market order that waits, and fills at the first price after its arrival: the open of the next bar of the hub. `price` is kept as the expected one. On a notification deployment it raises a signal. The same body within a minute, or with the same `time`, counts once. An address takes 30 signals a minute and 2,000 a day.',
  caller: 'anyone',
  credential: ({ params }) => params.token,
  extension: true,
  limits: { body: 4 * 1024 },
  input: { params: z.object({ token: z.string().min(1).max(64) }), json: signalIn },
  readText: readSignalText,
  output: signalOut,
  errors: [
    'hook_unknown',
    'state_conflict',
    'kill_switch',
    'risk_limit',
    'position_closed',
    'signal_refused',
    'too_many_signals',
    'changed_meanwhile',
  ],
  table: 'write',
  recheck: async ({ params: { token } }, call) => {
    const id = deploymentOfToken(token);
    if (id === undefined) throw unknownHook();
    const hook = hookIn(await call.store.getMany([keys.signalHook(id)], { consistent: true }), id);
    if (!hook || !isTokenOf(hook, token)) throw unknownHook();
  },
  onRefused: noteRefusal,
  handler: async ({ params: { token }, json }, call) => {
    const id = deploymentOfToken(token);
    if (id === undefined) throw unknownHook();
    let decided: Decided | undefined;
    const digests = digestsOf(json, call.now);
    const changed = await changeDeployment(
      call,
      id,
      async (deployment, now, items) => {
        const hook = hookIn(items, id);
        if (!deployment || !hook || !isTokenOf(hook, token)) throw unknownHook();
        if (placesRealOrders(deployment)) requireReal(json, now);
        else requireTimely(json, now);
        const alert = readAlert(json, digests, deployment.symbols);
        decided = await decide(call, deployment, alert, { now, items, hook });
        const { effect } = decided;
        if (!effect) return undefined;
        requireRate(hook, now);
        const writes = [...(effect.writes ?? []), countedSignalWrite(hook, now)];
        return { ...effect, isOfUser: true, writes };
      },
      [keys.signalHook(id), ...repeatKeys(id, digests)],
    );
    if (!changed || !decided) return { result: 'repeated', order: null, note: null };
    return { result: 'taken', order: decided.order ?? null, note: decided.note ?? null };
  },
});
