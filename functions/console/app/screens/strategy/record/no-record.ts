import type { StrategyRulesOut } from '../../../../../../infra/client/package/src/index.ts';
import { visibilityOf } from '../../../strategies/texts.ts';

/** Says why the hub makes no track record of a strategy. */
export const noRecordText = (
  strategy: Pick<StrategyRulesOut, 'publish_state' | 'is_listed' | 'rules_hash'>,
): string => {
  if (strategy.rules_hash === null) {
    return 'The hub makes no track record of it: it has no rules that could be computed again.';
  }
  return visibilityOf(strategy) === 'link'
    ? 'The hub makes no track record of it: a share key begins none. One begins when it is on your profile or in Explore.'
    : 'The hub makes no track record of it: only you can see it. One begins when it is on your profile or in Explore.';
};
