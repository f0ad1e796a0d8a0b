/**
 * Scopes of API keys, by what they allow:
 * - `read`: the user's own data and public data, without credentials.
 * - `research`: strategies that nobody else sees, their rules, backtests, sweeps and own candles.
 * - `trade:paper`: deployments on paper, for notifications, and scanners.
 * - `trade:real`: in addition, what acts on real deployments and their limits.
 * - `manage`: strategies that others see, deploy keys, settings, and the removal of webhooks and connections.
 */
export const SCOPES = ['read', 'research', 'trade:paper', 'trade:real', 'manage'] as const;

export type Scope = (typeof SCOPES)[number];

/** Scopes that an assistant may be granted by OAuth. None acts on real orders, credentials or what is public. */
export const ASSISTANT_SCOPES = ['read', 'research', 'trade:paper'] as const satisfies readonly Scope[];

export type AssistantScope = (typeof ASSISTANT_SCOPES)[number];

/** Scope that a request needs; `any` for one that every key may make. */
export type NeededScope = Scope | 'any';

/** Tells whether granted scopes allow what needs a scope. Real trading includes paper; no other scope includes another. */
export const allows = (granted: readonly Scope[], needed: NeededScope): boolean =>
  needed === 'any' ||
  granted.includes(needed) ||
  (needed === 'trade:paper' && granted.includes('trade:real'));

const isScope = (text: string): text is Scope => SCOPES.some((one) => one === text);

/** Returns the granted scopes that a list allows too, separated by blanks. Real trading is narrowed to paper. */
export const narrowed = (granted: readonly Scope[], list: string): Scope[] => {
  const most = list.split(' ').filter(isScope);
  return SCOPES.filter((one) => allows(granted, one) && allows(most, one));
};
