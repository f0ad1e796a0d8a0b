import type { ApiKey, ApiKeyIn } from '../../../../../infra/client/package/src/index.ts';

type Scope = ApiKeyIn['scopes'][number];

/** Words of the scopes, in the order of the form. */
export const SCOPES: readonly { readonly scope: Scope; readonly label: string; readonly hint: string }[] = [
  { scope: 'read', label: 'Read', hint: 'Your deployments, orders and results. No keys and addresses.' },
  {
    scope: 'research',
    label: 'Research',
    hint: 'Makes and changes strategies that nobody else sees, and their rules. Backtests, sweeps and your own candles.',
  },
  {
    scope: 'trade:paper',
    label: 'Trade on paper',
    hint: 'Paper and notification deployments, scanners. Proposes real ones, which you confirm or decline.',
  },
  {
    scope: 'trade:real',
    label: 'Stop real trading',
    hint: 'Pauses, stops and closes real deployments and lowers limits; starts none. Trades on paper, too.',
  },
  {
    scope: 'manage',
    label: 'Manage',
    hint: 'Strategies that others see, deploy keys, publication, notifications and webhooks.',
  },
];

/** Choices for the days until a key expires. */
export const EXPIRIES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '180', label: '180 days' },
  { value: '365', label: 'A year' },
] as const;

type Expiry = (typeof EXPIRIES)[number]['value'];

/** Form of a new key. */
export interface KeyDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiry: Expiry;
  /** As typed, apart by spaces or commas. */
  readonly addresses: string;
}

export const NEW_KEY: KeyDraft = { name: '', scopes: [], expiry: '90', addresses: '' };

/** Returns what a form still needs; undefined if it can be sent. */
export const keyProblem = ({ name, scopes }: KeyDraft): string | undefined => {
  if (name.trim() === '') return 'Give the key a name.';
  return scopes.length === 0 ? 'Choose what the key may do.' : undefined;
};

/** Returns the request of a form. */
export const keyOf = ({ name, scopes, expiry, addresses }: KeyDraft): ApiKeyIn => {
  const typed = addresses.split(/[\s,]+/).filter((text) => text !== '');
  return {
    name: name.trim(),
    scopes: SCOPES.map(({ scope }) => scope).filter((scope) => scopes.includes(scope)),
    expires_in_days: Number(expiry),
    ...(typed.length > 0 && { addresses: typed }),
  };
};

/** Names the scopes of a key. */
export const scopesText = ({ scopes }: Pick<ApiKey, 'scopes'>): string =>
  SCOPES.filter(({ scope }) => scopes.includes(scope))
    .map(({ label }) => label)
    .join(', ');
