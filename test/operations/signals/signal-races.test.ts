import { expect, test } from '@jest/globals';
import { Store } from '../../../shared/data/table/store.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { setDeploymentLimits } from '../../../shared/lifecycle/risk-limits.ts';
import { throwSwitch } from '../../../shared/lifecycle/throw-switch.ts';
import { signedTrader, switchOwn } from '../../support/kill-switch.ts';
import { openHub } from '../../support/open-hub.ts';
import { furnishWithInstruments } from '../../support/strategies.ts';
import { deployTrading } from '../../support/trading.ts';

const hub = await openHub(furnishWithInstruments);

/** A store that runs something between the reads of a request and its first transaction. */
class OvertakenStore extends Store {
  #before: (() => Promise<unknown>) | undefined;
  constructor({ client, table }: Store, before: () => Promise<unknown>) {
    super(client, table);
    this.#before = before;
  }
  override async transact(writes: readonly Write[]): Promise<void> {
    const before = this.#before;
    this.#before = undefined;
    await before?.();
    return super.transact(writes);
  }
}

/** Makes a paper deployment that takes signals. */
const hooked = async () => {
  const owner = await signedTrader(hub);
  const id: number = (await deployTrading(hub, owner.keygen)).body.deployment_id;
  const about = { query: { user_id: owner.user_id, deployment_id: String(id) }, headers: owner.headers };
  const { body } = await hub.call('POST /create_signal_hook', about);
  return { owner, id, about, token: body.url.slice(body.url.lastIndexOf('/') + 1) as string };
};

type Hooked = Awaited<ReturnType<typeof hooked>>;

const RACES: Readonly<Record<string, { code: string; act: (on: Hooked) => Promise<unknown> }>> = {
  'the owner throws the kill switch': {
    code: 'kill_switch',
    act: ({ owner }) => switchOwn(hub, owner, 'throw'),
  },
  'an operator throws the kill switch of the user': {
    code: 'kill_switch',
    act: ({ owner: { user_id } }) =>
      throwSwitch(hub.runtime, {
        subject: { level: 'user', user_id },
        actor: { by: 'operator' },
        reason: 'x',
        flatten: false,
      }),
  },
  'a switch that was thrown and re-armed before is thrown': {
    code: 'kill_switch',
    act: async ({ owner }) => {
      await switchOwn(hub, owner, 'throw');
      await switchOwn(hub, owner, 're_arm');
      await switchOwn(hub, owner, 'throw');
    },
  },
  'the owner sets a limit': {
    code: 'risk_limit',
    act: ({ owner, id }) =>
      setDeploymentLimits(hub.runtime, id, owner.user_id, { limits: { order_value: '150' } }),
  },
  'the owner pauses the deployment': {
    code: 'state_conflict',
    act: ({ about }) => hub.call('POST /pause_deployment', about),
  },
};

test.each(Object.entries(RACES))(
  'no order of a signal is booked if meanwhile %s',
  async (_, { code, act }) => {
    const on = await hooked();
    const overtaken = hub.over(new OvertakenStore(hub.runtime.store, () => act(on)));
    const json = { action: 'buy', quantity: 2, price: '101.5' };
    const answer = await overtaken.call('POST /hooks/{token}', { params: { token: on.token }, json });
    expect([answer.status, answer.body.code]).toEqual([409, code]);
    const { query } = on.about;
    expect((await hub.call('GET /get_live_strategy_order_book', { query })).body.items).toEqual([]);
  },
);
