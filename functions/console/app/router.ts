import { computed, signal } from '@preact/signals';
import type { ComponentType } from 'preact';

/** Properties of every screen. */
export interface ScreenProps {
  /** Values of the parts of the address that begin with a colon. */
  readonly params: Readonly<Record<string, string>>;
  /** Parameters behind the question mark of the address. */
  readonly query: URLSearchParams;
}

interface ScreenModule {
  readonly default: ComponentType<ScreenProps>;
}

/** Screen of the console and its address. */
export interface Route {
  /** Address behind `#`; parts that begin with a colon match anything. */
  readonly path: `/${string}`;
  /** Loads the code of the screen. */
  readonly load: () => Promise<ScreenModule>;
  /** Entry of the navigation that the screen belongs to. */
  readonly section?: Section;
  /** True if the screen is for people who are not signed in. */
  readonly isPublic?: boolean;
}

/** Entries of the navigation. */
export const SECTIONS = {
  home: 'Home',
  explore: 'Explore',
  strategies: 'Strategies',
  backtests: 'Backtests',
  deployments: 'Deployments',
  notifications: 'Notifications',
  risk: 'Risk',
  settings: 'Settings',
} as const;

export type Section = keyof typeof SECTIONS;

/** Route that an address matches, with its parameters. */
export interface Place extends ScreenProps {
  /** Address without its query. */
  readonly path: string;
  /** Undefined if there is no screen at the address. */
  readonly route: Route | undefined;
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const paramsOf = (pattern: string, path: string): Record<string, string> | undefined => {
  const expected = pattern.split('/');
  const parts = path.split('/');
  if (parts.length !== expected.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of expected.entries()) {
    const value = decode(parts[index] ?? '');
    if (value === undefined) return undefined;
    if (!name.startsWith(':')) {
      if (value !== name) return undefined;
    } else if (value === '') return undefined;
    else params[name.slice(1)] = value;
  }
  return params;
};

/** Finds the screen of an address. */
export const placeOf = (hash: string, routes: readonly Route[]): Place => {
  const [path = '', query = ''] = (hash.replace(/^#/, '') || '/').split(/\?(.*)/s);
  const searched = new URLSearchParams(query);
  for (const route of routes) {
    const params = paramsOf(route.path, path);
    if (params) return { path, route, params, query: searched };
  }
  return { path, route: undefined, params: {}, query: searched };
};

const hash = signal('');
const routes = signal<readonly Route[]>([]);

/** Place that the address bar shows. */
export const place = computed(() => placeOf(hash.value, routes.value));

/** Entry of the navigation that the present screen names itself. */
export const namedSection = signal<Section | undefined>(undefined);

/** Entry of the navigation that the present screen belongs to. */
export const section = computed(() => place.value.route?.section ?? namedSection.value);

/** Number of navigations to another screen since the page was loaded. */
export const navigations = signal(0);

/** Takes over the address bar. */
const follow = (): void => {
  const from = place.value.path;
  hash.value = location.hash;
  if (place.value.path !== from) navigations.value++;
};

/** Follows the address bar. */
export const startRouter = (table: readonly Route[]): void => {
  routes.value = table;
  hash.value = location.hash;
  addEventListener('hashchange', follow);
};

/** Returns an address of the console that was handed over in a link; the start if it is another kind of address. */
export const inPage = (text: string): `/${string}` => `/${text.replace(/^\/*/, '')}`;

/** Goes to an address of the console, such as `/deployments/7`. With `replace`, Back skips the present one. */
export const navigate = (path: `/${string}`, { replace = false } = {}): void => {
  if (replace) location.replace(`#${path}`);
  else location.hash = path;
  // At once, so that nothing takes the address before for the present one.
  follow();
};
