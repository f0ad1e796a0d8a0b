import type { StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import { format } from '../../format.ts';
import { barsText, directionText } from '../../strategies/texts.ts';
import { Figure, When } from '../../ui/figures.tsx';

/** Facts of a strategy: its market, and how many people use it. */
export const Facts = ({ strategy }: { readonly strategy: StrategyRulesOut }) => (
  <dl class="figures facts">
    <Figure label="Instruments" value={strategy.symbols.join(', ')} />
    <Figure label="Looks at" value={barsText(strategy.timeframe)} />
    <Figure label="Trades" value={directionText(strategy.direction)} />
    <Figure label="Likes" value={format.count(strategy.like_count)} />
    <Figure label="Copies" value={format.count(strategy.copy_count)} />
    <Figure label="Deployed by" value={format.count(strategy.deployment_count)} />
    <Figure
      label={strategy.published_at === null ? 'Changed' : 'Published'}
      value={<When at={strategy.published_at ?? strategy.updated_at} />}
    />
  </dl>
);
