import type { RankFigures, StrategiesCustomOut } from '../../../../infra/client/package/src/index.ts';
import { Button } from '../ui/button.tsx';
import { Tag } from '../ui/notice.tsx';
import { LikeButton } from './like-button.tsx';
import { Performance } from './performance.tsx';
import { barsText, directionText, symbolsText } from './texts.ts';

interface MarketProps {
  readonly strategy: Pick<StrategiesCustomOut, 'symbols' | 'timeframe' | 'direction'>;
}

/** Says what a strategy trades. */
export const Market = ({ strategy: { symbols, timeframe, direction } }: MarketProps) => (
  <p class="muted">
    {symbolsText(symbols)} · {barsText(timeframe)} · {directionText(direction)}
  </p>
);

/** Says what a strategy does, or why that is not known. */
export const Sentence = ({
  strategy: { sentence, rules_visibility },
}: {
  readonly strategy: Pick<StrategiesCustomOut, 'sentence' | 'rules_visibility'>;
}) => {
  if (sentence !== null) return <p class="sentence">{sentence}</p>;
  return (
    <p class="muted">
      {rules_visibility === 'closed'
        ? 'The author keeps the rules closed.'
        : 'It has no rules here: a program of its author decides its trades.'}
    </p>
  );
};

interface StrategyCardProps {
  /** With the figures of a ranking, if it is from one. */
  readonly strategy: StrategiesCustomOut & { readonly rank_figures?: RankFigures | null };
  /** True if the user is the author. */
  readonly isOwn: boolean;
  /** Hides the author on the author's own page. */
  readonly hideAuthor?: boolean;
  readonly onCopy: (strategy: StrategiesCustomOut) => void;
}

/** Published strategy with its results. */
export const StrategyCard = ({ strategy, isOwn, hideAuthor = false, onCopy }: StrategyCardProps) => {
  const { strategy_id: id, strategy_name: name, author } = strategy;
  return (
    <li class="card strategy-card">
      <header>
        <h2>
          <a href={`#/strategies/${id}`}>{name}</a>
        </h2>
        {!hideAuthor && (
          <p class="muted">
            by <a href={`#/authors/${encodeURIComponent(author.user_key)}`}>{isOwn ? 'you' : author.name}</a>
          </p>
        )}
        <Market strategy={strategy} />
      </header>
      <Sentence strategy={strategy} />
      <Performance performance={strategy.performance} rank={strategy.rank_figures ?? null} name={name} />
      <footer class="row">
        <LikeButton strategy={strategy} />
        {(isOwn || strategy.rules_visibility !== 'closed') && (
          <Button onClick={() => onCopy(strategy)}>
            Copy<span class="unseen"> {name}</span>
          </Button>
        )}
        {isOwn && <Tag>Yours</Tag>}
        {!isOwn && strategy.is_copied && <Tag kind="good">Copied</Tag>}
      </footer>
    </li>
  );
};
