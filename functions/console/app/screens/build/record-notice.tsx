import type { StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import { rulesEffect } from '../../strategies/record-effects.ts';
import { visibilityOf } from '../../strategies/texts.ts';
import { Notice } from '../../ui/notice.tsx';

/** Says what saved rules do to the track record of a published strategy, before they are changed. */
export const RecordNotice = ({ strategy }: { readonly strategy: StrategyRulesOut }) => {
  const text = rulesEffect(visibilityOf(strategy), strategy.rules !== null);
  return text === undefined ? null : <Notice>{text}</Notice>;
};
