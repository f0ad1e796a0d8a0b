import { PUBLISH_STATES } from '../../domain/strategies/strategies.ts';
import type { Strategy } from './strategies.ts';

/**
 * Returns where the figures that a strategy shows come from. `record`: its track record, which the hub makes of bars.
 * `reported`: the deployments of its owner, not verified. `own`: those too, for the owner alone.
 */
export const figuresSource = ({
  publish_state,
  rules_hash,
}: Pick<Strategy, 'publish_state' | 'rules_hash'>): 'record' | 'reported' | 'own' => {
  if (publish_state !== PUBLISH_STATES.public) return 'own';
  return rules_hash === undefined ? 'reported' : 'record';
};
