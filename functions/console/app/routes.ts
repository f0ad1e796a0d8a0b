import type { Route } from './router.ts';

/** Screens by address. The first match counts. */
export const ROUTES: readonly Route[] = [
  { path: '/', load: () => import('./screens/home/screen.tsx'), section: 'home' },
  { path: '/sign-in', load: () => import('./screens/sign-in/screen.tsx'), isPublic: true },
  { path: '/build', load: () => import('./screens/build/screen.tsx'), section: 'strategies' },
  { path: '/strategies/:id/build', load: () => import('./screens/build/screen.tsx'), section: 'strategies' },
  { path: '/explore', load: () => import('./screens/explore/screen.tsx'), section: 'explore' },
  { path: '/strategies', load: () => import('./screens/strategies/screen.tsx'), section: 'strategies' },
  { path: '/strategies/:id', load: () => import('./screens/strategy/screen.tsx') },
  { path: '/authors/:user_key', load: () => import('./screens/author/screen.tsx'), section: 'explore' },
  { path: '/deployments', load: () => import('./screens/deployments/screen.tsx'), section: 'deployments' },
  {
    path: '/deployments/:id',
    load: () => import('./screens/deployment/screen.tsx'),
    section: 'deployments',
  },
  { path: '/register', load: () => import('./screens/register/screen.tsx'), isPublic: true },
  { path: '/confirm', load: () => import('./screens/confirm/screen.tsx'), isPublic: true },
  { path: '/email', load: () => import('./screens/email/screen.tsx'), section: 'settings' },
  { path: '/undo-email', load: () => import('./screens/undo-email/screen.tsx'), isPublic: true },
  { path: '/reset', load: () => import('./screens/reset/screen.tsx'), isPublic: true },
  {
    path: '/notifications',
    load: () => import('./screens/notifications/screen.tsx'),
    section: 'notifications',
  },
  { path: '/settings', load: () => import('./screens/settings/screen.tsx'), section: 'settings' },
  { path: '/risk', load: () => import('./screens/risk/screen.tsx'), section: 'risk' },
  { path: '/backtests', load: () => import('./screens/backtests/screen.tsx'), section: 'backtests' },
  { path: '/backtests/new', load: () => import('./screens/new-backtest/screen.tsx'), section: 'backtests' },
  { path: '/backtests/:id', load: () => import('./screens/backtest/screen.tsx'), section: 'backtests' },
  { path: '/compare/:ids', load: () => import('./screens/compare/screen.tsx'), section: 'backtests' },
  { path: '/candles', load: () => import('./screens/own-candles/screen.tsx'), section: 'backtests' },
  { path: '/prices', load: () => import('./screens/prices/screen.tsx'), section: 'strategies' },
  { path: '/sweeps/new', load: () => import('./screens/new-sweep/screen.tsx'), section: 'backtests' },
  { path: '/sweeps/:id', load: () => import('./screens/sweep/screen.tsx'), section: 'backtests' },
];
