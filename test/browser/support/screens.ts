import { setTimeout as wait } from 'node:timers/promises';
import type { Person } from './people.ts';

/** Addresses of the screens for people who are not signed in. */
export const PUBLIC_SCREENS = ['/sign-in', '/register', '/reset', '/confirm', '/undo-email'] as const;

/** Addresses of the screens that everyone has, also with nothing in them. */
export const LISTS = [
  '/',
  '/explore',
  '/strategies',
  '/build',
  '/backtests',
  '/backtests/new',
  '/sweeps/new',
  '/candles',
  '/prices',
  '/deployments',
  '/notifications',
  '/risk',
  '/settings',
  '/email',
  '/consent',
  '/proposals',
] as const;

/** Screens of one thing: names for the screenshots and routes. */
export const DETAILS = [
  { name: 'strategy', route: '/strategies/:id' },
  { name: 'edit-rules', route: '/strategies/:id/build' },
  { name: 'author', route: '/authors/:user_key' },
  { name: 'backtest', route: '/backtests/:id' },
  { name: 'compare', route: '/compare/:ids' },
  { name: 'sweep', route: '/sweeps/:id' },
  { name: 'deployment', route: '/deployments/:id' },
  { name: 'deployment-notification', route: '/deployments/:id' },
  { name: 'deployment-scanner', route: '/deployments/:id' },
] as const;

/** Returns the name of a screen's screenshots. */
export const fileNameOf = (path: string): string => path.slice(1).replaceAll('/', '-') || 'home';

const POLL_MS = 200;

/** Runs a small sweep of a strategy of the user to its end. */
const sweepOf = async ({ hub, userId: user_id }: Person, strategyId: number): Promise<number> => {
  const params = { fast: [10, 20, 30], slow: [40, 50, 60] };
  const { sweep_id } = await hub.sweepStrategy({ user_id, body: { strategy_id: strategyId, params } });
  while ((await hub.getSweep({ user_id, sweep_id })).status !== 'done') await wait(POLL_MS);
  return sweep_id;
};

/** Returns the addresses of the screens of the demo user's things by the names of the screens. */
export const detailPaths = async (
  demo: Person,
): Promise<Readonly<Record<(typeof DETAILS)[number]['name'], string>>> => {
  const { hub, userId: user_id } = demo;
  const [strategies, backtests, deployments, notifications, scanners] = await Promise.all([
    hub.getStrategiesByUser({ user_id, size: 100 }),
    hub.getBacktests({ user_id }),
    hub.getAllLiveDeploymentsV2({ user_id }),
    hub.getAllNotificationDeployments({ user_id }),
    hub.getScannerDeployments({ user_id }),
  ]);
  const swept = strategies.items.find(({ strategy_name }) => strategy_name === 'My First Crossover');
  const [first, second] = backtests.items;
  const [deployment, notification, scanner] = [deployments, notifications, scanners].map(
    ({ items: [one] }) => one?.deployment_id,
  );
  if (!swept || !first || !second || !deployment || !notification || !scanner) {
    throw new Error('the demo data lacks a strategy, a backtest or a deployment');
  }
  const { strategy_id } = swept;
  const { user_key } = await hub.verifyUser({});
  return {
    strategy: `/strategies/${strategy_id}`,
    'edit-rules': `/strategies/${strategy_id}/build`,
    author: `/authors/${user_key}`,
    backtest: `/backtests/${first.backtest_id}`,
    compare: `/compare/${first.backtest_id},${second.backtest_id}`,
    sweep: `/sweeps/${await sweepOf(demo, strategy_id)}`,
    deployment: `/deployments/${deployment}`,
    'deployment-notification': `/deployments/${notification}`,
    'deployment-scanner': `/deployments/${scanner}`,
  };
};
