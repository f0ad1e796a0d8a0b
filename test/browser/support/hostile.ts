import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { HubClient } from '../../../infra/client/package/src/index.ts';
import { until } from '../../support/until.ts';
import { HUB_URL } from './browser.ts';
import { putEvents } from './bus.ts';
import { enter, newEmail, type Person, proven, steppedUp } from './people.ts';

/**
 * Returns a text that runs a script where a page takes it for markup: as an element, as an attribute or within a
 * script. The mark tells the texts apart.
 */
export const hostile = (mark: string): string =>
  `${mark}"'><img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)>`;

/** Elements and attributes that a hostile text would make. */
const INJECTED =
  'img[src="x"], [onerror], [onload], script:not([src]), a[href^="javascript:" i], iframe, object, embed';

/** Counts the elements of a page that hostile texts made. */
export const injected = (page: Page): Promise<number> => page.locator(INJECTED).count();

/** A user all of whose texts are hostile. */
export interface HostileWorld {
  readonly person: Person;
  readonly userKey: string;
  /** Strategy with rules, listed in explore. */
  readonly strategyId: number;
  /** Paper deployment whose engine reports hostile texts. */
  readonly deploymentId: number;
  readonly backtestId: number;
}

const POLL_MS = 100;

/** Waits until a check returns a value. */
const found = async <T>(what: string, check: () => Promise<T | undefined>): Promise<T> => {
  let value: T | undefined;
  await until(async () => {
    value = await check();
    return value !== undefined;
  }, POLL_MS);
  if (value === undefined) throw new Error(`${what} did not happen`);
  return value;
};

const CROSS = {
  schema: 'hub.rules/1',
  entries: [
    {
      side: 'long',
      when: { left: { price: 'close' }, op: 'crosses_above', right: { indicator: 'sma', length: 20 } },
    },
  ],
  exits: [
    {
      side: 'long',
      when: { left: { price: 'close' }, op: 'crosses_below', right: { indicator: 'sma', length: 20 } },
    },
  ],
} as const;

/** Returns rules with a parameter of a name. */
export const withParameter = (name: string) => ({
  ...CROSS,
  params: { [name]: { default: 20, min: 5, max: 50 } },
});

/** Registers a user of a white-label broker, both with hostile names. The user's browser has a hostile name too. */
const enterHostile = async (): Promise<Person> => {
  const anyone = new HubClient({ baseUrl: HUB_URL });
  const { subdomain } = await anyone.createPartneraSubdomainSecret({
    // A name of its own for each world: a broker is registered once.
    broker_name: `${randomUUID().slice(0, 8)} ${hostile('broker')}`,
    broker_app_name: hostile('app'),
    email: 'desk@broker.example',
  });
  const email = newEmail();
  const password = 'a-long-password';
  const body = { email, password, name: hostile('user'), broker_domain: subdomain };
  await anyone.registerUserBroker({ body });
  return steppedUp(await proven(await enter(email, password, undefined, hostile('browser'))));
};

/** Makes a user whose strategies, deployments, orders, notifications, webhooks and reasons have hostile texts. */
export const hostileWorld = async (): Promise<HostileWorld> => {
  const person = await enterHostile();
  const { hub, userId: user_id } = person;
  const { user_key } = await hub.verifyUser({});
  const made = { user_id, symbol: 'AAPL', timeframe: '1d' } as const;
  const description = hostile('description');
  // Throws the switch before anything is deployed: a halt would replace the reason of the pause.
  await hub.killSwitch({ user_id, body: { action: 'throw', reason: hostile('thrown') } });
  await hub.killSwitch({ user_id, body: { action: 're_arm', reason: hostile('re-armed') } });

  const { strategy_id } = await hub.buildNewStrategy({ ...made, strategy_name: hostile('strategy') });
  await hub.renameStrategy({ user_id, strategy_id, strategy_name: hostile('renamed'), description });
  await hub.setStrategyRules({ user_id, strategy_id, body: CROSS });
  await hub.publishExploreStrategy({ user_id, strategy_id });
  const { backtest_id } = await hub.runBacktest({ user_id, body: { strategy_id } });
  if (backtest_id === null) throw new Error('the backtest was not stored');
  await hub.updateBacktest({ user_id, backtest_id, backtest_name: hostile('tested') });

  const foreign = await hub.buildNewStrategy({ ...made, strategy_name: hostile('engine') });
  const paper = { mode: 'virtual', starting_capital: '10000', currency: 'USD' } as const;
  const { deployment_id } = await hub.deployLiveStrategy({ keygen: foreign.keygen, body: paper });
  const signals = await hub.deployNotificationStrategy({ keygen: foreign.keygen, body: {} });
  const order = {
    deployment_id,
    symbol: 'AAPL',
    side: 'buy',
    order_type: 'market',
    quantity: 10,
    fees: '0',
    filled_quantity: 0,
    sequence: 1,
  };
  await putEvents([
    { type: 'Deployment Started', detail: { deployment_id } },
    {
      type: 'Order Updated',
      detail: {
        ...order,
        client_order_id: hostile('order'),
        broker_order_id: hostile('broker-order'),
        status: 'filled',
        filled_quantity: 10,
        average_price: '200',
      },
    },
    {
      type: 'Order Updated',
      detail: { ...order, client_order_id: 'o-2', status: 'rejected', status_message: hostile('rejected') },
    },
    {
      type: 'Signal Raised',
      detail: {
        deployment_id: signals.deployment_id,
        symbol: 'AAPL',
        side: 'buy',
        title: hostile('title'),
        body: hostile('body'),
      },
    },
  ]);
  await hub.registerWebhook({
    user_id,
    body: {
      url: `http://localhost:9/${encodeURIComponent(hostile('url'))}`,
      description: hostile('webhook'),
    },
  });
  await hub.registerPushToken({ user_id, push_key: hostile('device') });
  const limits = { daily_loss_pct: 50 };
  await hub.setRiskLimits({ user_id, body: { limits, reason: hostile('limits') } });
  await found('the reports of the engine', async () => {
    const { items } = await hub.getDeploymentNotifications({ user_id });
    const kinds = new Set(items.map(({ kind }) => kind));
    return kinds.has('order_rejected') && kinds.has('signal_buy') ? kinds : undefined;
  });
  await hub.pauseDeployment({ user_id, deployment_id, reason: hostile('paused') });
  return {
    person,
    userKey: user_key,
    strategyId: strategy_id,
    deploymentId: deployment_id,
    backtestId: backtest_id,
  };
};
