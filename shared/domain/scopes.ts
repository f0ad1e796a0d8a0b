/**
 * Scopes of API keys, by what they allow:
 * - `read`: the user's own data and public data, without credentials.
 * - `research`: backtests, sweeps and own candles.
 * - `trade:paper`: deployments on paper, for notifications, and scanners.
 * - `trade:real`: in addition, what acts on real deployments and their limits.
 * - `manage`: strategies, publication, settings, and the removal of webhooks and connections.
 */
export const SCOPES = ['read', 'research', 'trade:paper', 'trade:real', 'manage'] as const;

export type Scope = (typeof SCOPES)[number];

/** Scopes that an assistant may be granted by OAuth. None acts on real orders, credentials or what is public. */
export const ASSISTANT_SCOPES = ['read', 'research', 'trade:paper'] as const satisfies readonly Scope[];

export type AssistantScope = (typeof ASSISTANT_SCOPES)[number];

/** Tells whether granted scopes allow what needs a scope. Real trading includes paper; no other scope includes another. */
export const allows = (granted: readonly Scope[], needed: Scope): boolean =>
  granted.includes(needed) || (needed === 'trade:paper' && granted.includes('trade:real'));
