import type { Route } from './router.ts';

/** Screens by address. The first match counts. */
export const ROUTES: readonly Route[] = [
  { path: '/sign-in', load: () => import('./screens/sign-in/screen.tsx'), isPublic: true },
  { path: '/explore', load: () => import('./screens/explore/screen.tsx'), section: 'explore' },
  { path: '/authors/:user_key', load: () => import('./screens/author/screen.tsx'), section: 'explore' },
];
