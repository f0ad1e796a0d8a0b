import type { CoreSettings } from '../settings.ts';
import { HubError } from './errors.ts';

/**
 * The cookies of the service. A browser takes a name with `__Host-` only from this host, for all paths and by
 * https; `__Secure-` allows a path. `unprefixed`: the name without its prefix is still read, as versions before
 * this one set it.
 */
const COOKIES = {
  session: { prefix: '__Host-', name: 'session', path: '/', unprefixed: true },
  refresh: { prefix: '__Secure-', name: 'refresh_token', path: '/session/relogin', unprefixed: true },
  device: { prefix: '__Host-', name: 'device', path: '/', unprefixed: false },
  partnerC: { prefix: '__Host-', name: 'partnerc', path: '/', unprefixed: false },
} as const;

export type Cookie = keyof typeof COOKIES;

type Settings = Pick<CoreSettings, 'HUB_PUBLIC_URL' | 'HUB_CORS_ORIGINS'>;

/** The parts of a request that cookies depend on. */
export interface CookieRequest {
  readonly settings: Settings;
  readonly cookies: Readonly<Record<string, string>>;
  /** Whether a web page of an origin that is not allowed sent the request. */
  readonly foreign: boolean;
}

/** Browsers refuse the prefixes, and `Secure`, where a page was not loaded by https. */
const isSecure = ({ HUB_PUBLIC_URL: url }: Settings): boolean => url.startsWith('https:');

const nameOf = (settings: Settings, cookie: Cookie): string =>
  `${isSecure(settings) ? COOKIES[cookie].prefix : ''}${COOKIES[cookie].name}`;

const header = (settings: Settings, name: string, value: string, maxAgeS: number, path: string): string =>
  [
    `${name}=${value}`,
    `Max-Age=${maxAgeS}`,
    `Path=${path}`,
    'HttpOnly',
    ...(isSecure(settings) ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ');

/** The error for a web page of another origin. */
export const crossSiteRefused = (): HubError =>
  new HubError(
    'cross_site_refused',
    'A web page of another origin sent this request. Add its origin to the CORS origins of the service.',
  );

/**
 * Reads a cookie.
 *
 * @throws HubError cross_site_refused when the cookie came with a request of a foreign web page.
 */
export const readCookie = (
  { settings, cookies, foreign }: CookieRequest,
  cookie: Cookie,
): string | undefined => {
  const { name, unprefixed } = COOKIES[cookie];
  const value = cookies[nameOf(settings, cookie)] ?? (unprefixed ? cookies[name] : undefined);
  if (value !== undefined && foreign) throw crossSiteRefused();
  return value;
};

/** Lists the values of the service's cookies under all their names, whoever sent them. For comparing requests. */
export const cookieCredentials = (cookies: CookieRequest['cookies']): (string | null)[] =>
  Object.values(COOKIES).flatMap(({ prefix, name }) => [
    cookies[`${prefix}${name}`] ?? null,
    cookies[name] ?? null,
  ]);

interface CookieAnswer extends CookieRequest {
  readonly setCookie: (header: string) => void;
}

/** Sets a cookie with the answer. One under the name without the prefix is removed. */
export const writeCookie = (call: CookieAnswer, cookie: Cookie, value: string, maxAgeS: number): void => {
  const { settings, cookies, setCookie } = call;
  const { name, path } = COOKIES[cookie];
  const current = nameOf(settings, cookie);
  setCookie(header(settings, current, value, maxAgeS, path));
  if (current !== name && name in cookies) setCookie(header(settings, name, '', 0, path));
};

/** Removes a cookie from the client. */
export const dropCookie = (call: CookieAnswer, cookie: Cookie): void => writeCookie(call, cookie, '', 0);

/**
 * Says whether a web page of another origin sent a request, unless the CORS origins list it. Browsers set both
 * headers themselves; programs that are no browsers send neither.
 */
export const isForeign = (headers: Readonly<Record<string, string>>, settings: Settings): boolean => {
  const { origin, 'sec-fetch-site': site } = headers;
  // Also true for a local service under another name of this machine than its public address.
  if (site === 'same-origin') return false;
  if (origin === undefined) return site === 'cross-site';
  return origin !== new URL(settings.HUB_PUBLIC_URL).origin && !settings.HUB_CORS_ORIGINS.includes(origin);
};
