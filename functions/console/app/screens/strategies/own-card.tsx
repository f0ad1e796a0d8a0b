import { Market, Sentence } from '../../strategies/card.tsx';
import { Performance } from '../../strategies/performance.tsx';
import { VISIBILITIES, visibilityOf } from '../../strategies/texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Tag } from '../../ui/notice.tsx';
import type { OwnStrategy } from './load.ts';

/** Own strategy in the list. */
export const OwnCard = ({ strategy }: { readonly strategy: OwnStrategy }) => {
  const { strategy_id: id, strategy_name: name, performance, sentence, status } = strategy;
  return (
    <li class="card strategy-card">
      <header>
        <h2>
          <a href={`#/strategies/${id}`}>{name}</a>
        </h2>
        <Market strategy={strategy} />
        <p class="muted">Seen by: {VISIBILITIES[visibilityOf(strategy)].label.toLowerCase()}</p>
      </header>
      {sentence === null ? (
        <p class="muted">It has no rules yet. Add some, or run it with a program of your own.</p>
      ) : (
        <Sentence strategy={strategy} />
      )}
      {performance && <Performance performance={performance} name={name} />}
      <footer class="row">
        {status === 'archived' && <Tag kind="warn">Archived</Tag>}
        {status !== 'archived' && sentence !== null && (
          <LinkButton href={`#/backtests/new?strategy=${id}`}>
            Backtest<span class="unseen"> {name}</span>
          </LinkButton>
        )}
        {status !== 'archived' && (
          <LinkButton href={`#/strategies/${id}/build`}>
            {sentence === null ? 'Add rules' : 'Edit rules'}
            <span class="unseen"> of {name}</span>
          </LinkButton>
        )}
      </footer>
    </li>
  );
};
