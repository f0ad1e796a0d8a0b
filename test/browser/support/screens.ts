import { ROUTES } from '../../../functions/console/app/routes.ts';

const there = new Set<string>(ROUTES.map(({ path }) => path));
const isThere = (route: string): boolean => there.has(route);

/** Addresses of the screens for people who are not signed in. */
export const PUBLIC_SCREENS = ['/sign-in', '/register', '/reset'].filter(isThere);
