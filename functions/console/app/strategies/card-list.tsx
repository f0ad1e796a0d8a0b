import type { StrategiesCustomOut } from '../../../../infra/client/package/src/index.ts';
import { user } from '../session.ts';
import { StrategyCard } from './card.tsx';
import { CopyDialog, useCopySource } from './copy-dialog.tsx';

interface StrategyCardsProps {
  readonly strategies: readonly StrategiesCustomOut[];
  readonly label: string;
  readonly hideAuthor?: boolean;
}

/** Cards of published strategies, with the dialog that copies one. */
export const StrategyCards = ({ strategies, label, hideAuthor = false }: StrategyCardsProps) => {
  const [copied, setCopied] = useCopySource();
  return (
    <>
      <ul class="cards" aria-label={label}>
        {strategies.map((strategy) => (
          <StrategyCard
            key={strategy.strategy_id}
            strategy={strategy}
            isOwn={strategy.author.user_key === user.value?.userKey}
            hideAuthor={hideAuthor}
            onCopy={setCopied}
          />
        ))}
      </ul>
      <CopyDialog source={copied} onClose={() => setCopied(undefined)} />
    </>
  );
};
