import { requireScope } from '../../../shared/api/api-key-caller.ts';
import type { Call } from '../../../shared/api/call.ts';
import type { Strategy } from '../../../shared/data/strategies/strategies.ts';
import { allows } from '../../../shared/domain/scopes.ts';

/** Publication of strategies that everybody sees, with their share keys. */
const PUBLIC = 1;

/** Requires `manage` of an API key for changes of a strategy that others see. @throws HubError scope_insufficient */
export const requireScopeOf = (call: Call, { publish_state }: Pick<Strategy, 'publish_state'>): void => {
  if (publish_state !== 0) requireScope(call, 'manage');
};

/** Fields of a strategy's answer that are credentials. */
interface WithKeys {
  readonly strategy_id: number;
  readonly strategy_key: string;
  readonly keygen?: string;
  readonly publish_state?: number;
}

/**
 * Leaves the credentials of the user's own strategy out of an answer to an API key without `manage`: its deploy key becomes
 * the name by which only the user's own sessions and keys can deploy it, and its share key empty unless it is public.
 */
export const withoutKeys = <T extends WithKeys>({ apiKey }: Pick<Call, 'apiKey'>, shown: T): T => {
  const key = apiKey();
  if (!key || allows(key.scopes, 'manage')) return shown;
  return {
    ...shown,
    ...(shown.publish_state !== PUBLIC && { strategy_key: '' }),
    ...(shown.keygen !== undefined && { keygen: `strategy:${shown.strategy_id}` }),
  };
};
