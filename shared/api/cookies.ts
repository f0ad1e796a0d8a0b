import type { CoreSettings } from '../settings.ts';
import { HubError } from './errors.ts';

/**
 * Cookies of the service. Browsers accept a name with `__Host-` only from this host, for all paths and over https;
 * `__Secure-` allows a path. Neighbours under the same domain can set names without `__Host-`, so a session is never read from such a name.
 */
const COOKIES = {
  session: { prefix: '__Host-', name: 'session', path: '/' },
  refresh: { prefix: '__Secure-', name: 'refresh_token', path: '/session' },
  device: { prefix: '__Host-', name: 'device', path: '/' },
  partnerC: { prefix: '__Host-', name: 'partnerc', path: '/' },
} as const;

export type Cookie = keyof typeof COOKIES;

type Settings = Pick<CoreSettings, 'HUB_PUBLIC_URL' | 'HUB_CORS_ORIGINS'>;

/** Parts of a request that cookies depend on. */
export interface CookieRequest {
  readonly settings: Settings;
  readonly cookies: Readonly<Record<string, string>>;
  /** True if a web page of an origin that is not allowed sent the request. */
  readonly foreign: boolean;
}

/** Browsers refuse the prefixes and `Secure` for pages that were not loaded over https. */
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

export const crossSiteRefused = (): HubError =>
  new HubError(
    'cross_site_refused',
    'A web page of another origin sent this request. Add its origin to the CORS origins of the service.',
  );

/**
 * Reads a cookie.
 *
 * @throws HubError cross_site_refused if a foreign web page sent the request.
 */
export const readCookie = (
  { settings, cookies, foreign }: CookieRequest,
  cookie: Cookie,
): string | undefined => {
  const value = cookies[nameOf(settings, cookie)];
  if (value !== undefined && foreign) throw crossSiteRefused();
  return value;
};

/** Lists the values of the cookies under all their names, also of foreign requests. For comparing requests. */
export const cookieCredentials = (cookies: CookieRequest['cookies']): (string | null)[] =>
  Object.values(COOKIES).flatMap(({ prefix, name }) => [
    cookies[`${prefix}${name}`] ?? null,
    cookies[name] ?? null,
  ]);

interface CookieAnswer extends CookieRequest {
  readonly setCookie: (header: string) => void;
}

/** Sets a cookie. */
export const writeCookie = (
  { settings, setCookie }: CookieAnswer,
  cookie: Cookie,
  value: string,
  maxAgeS: number,
): void => setCookie(header(settings, nameOf(settings, cookie), value, maxAgeS, COOKIES[cookie].path));

/** Removes a cookie from the client. */
export const dropCookie = (call: CookieAnswer, cookie: Cookie): void => writeCookie(call, cookie, '', 0);

/**
 * Tells whether a web page of an origin that is not allowed sent a request. Browsers set both headers; other programs
 * send neither.
 */
export const isForeign = (headers: Readonly<Record<string, string>>, settings: Settings): boolean => {
  const { origin, 'sec-fetch-site': site } = headers;
  // Also covers a local service that is opened under another host name than its public address.
  if (site === 'same-origin') return false;
  // An image or a link of another page: neighbours under the same domain are not trusted either.
  if (origin === undefined) return site === 'cross-site' || site === 'same-site';
  return origin !== new URL(settings.HUB_PUBLIC_URL).origin && !settings.HUB_CORS_ORIGINS.includes(origin);
};
