import { HALT_DUE } from '../../shared/data/switches/halts.ts';
import type { Runtime } from '../../shared/runtime.ts';
import { takeThrow } from './functions/halts.ts';
import type { Response, TestHub } from './hub.ts';
import { bearer, outbox, signUp } from './people.ts';
import { build } from './strategies.ts';

/** Returns a user with a session and a strategy to deploy. */
export const signedTrader = async (hub: TestHub, symbol = 'AAPL') => {
  const { body: user } = await signUp(hub);
  const { body } = await build(hub, { user_id: user.user_id, symbol });
  return {
    user_id: user.user_id as string,
    email: user.email as string,
    headers: bearer(user.access_token),
    keygen: body.keygen as string,
    strategy_id: body.strategy_id as number,
  };
};

type Owner = Pick<Awaited<ReturnType<typeof signedTrader>>, 'user_id' | 'headers'>;

/** Throws or re-arms the kill switch of a user. */
export const switchOwn = (
  hub: TestHub,
  { user_id, headers }: Owner,
  action: 'throw' | 're_arm',
  more: Readonly<Record<string, unknown>> = {},
): Promise<Response> =>
  hub.call('POST /kill_switch', {
    query: { user_id },
    headers,
    json: { action, reason: 'Something is wrong.', ...more },
  });

/** Returns the events of the outbox that let a worker halt deployments. */
const throwEvents = async (hub: TestHub) =>
  (await outbox(hub)).flatMap(({ message }) =>
    message?.kind === 'domain_event' && message.detail_type === HALT_DUE
      ? [{ 'detail-type': message.detail_type, detail: message.detail }]
      : [],
  );

/** Lets a worker halt the deployments of all throws so far. */
export const haltAll = async (
  hub: TestHub,
  runtime: Runtime = hub.runtime,
  remainingMs: () => number = () => Number.POSITIVE_INFINITY,
): Promise<void> => {
  for (const event of await throwEvents(hub)) await takeThrow(runtime, event, remainingMs);
};
