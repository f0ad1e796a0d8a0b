import { HubApiError, type Rules } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import type { Market } from './market.ts';

/** Strategy that the rules are saved to. */
export interface Target {
  readonly strategyId: number;
  /** Version of the rules that were read; 0 without rules. */
  readonly rulesVersion: number;
}

/** Makes a strategy without rules. */
export const makeStrategy = async (
  { name, symbols, timeframe }: Market,
  idempotencyKey: string,
): Promise<Target> => {
  const made = await hub.buildNewStrategy(
    { user_id: ME, strategy_name: name.trim(), symbol: symbols.join(','), timeframe },
    { idempotencyKey },
  );
  return { strategyId: made.strategy_id, rulesVersion: 0 };
};

/** Saves rules, unless somebody has changed those of the strategy since they were read. */
export const saveRules = async ({ strategyId, rulesVersion }: Target, rules: Rules): Promise<Target> => {
  const saved = await hub.setStrategyRules({
    user_id: ME,
    strategy_id: strategyId,
    expected_rules_version: rulesVersion,
    body: rules,
  });
  return { strategyId, rulesVersion: saved.rules_version ?? 0 };
};

export const isNameTaken = (error: unknown): boolean =>
  error instanceof HubApiError && error.code === 'name_taken';
