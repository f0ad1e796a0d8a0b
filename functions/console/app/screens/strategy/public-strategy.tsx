import type { StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import { CopyDialog, useCopySource } from '../../strategies/copy-dialog.tsx';
import { LikeButton } from '../../strategies/like-button.tsx';
import { Performance } from '../../strategies/performance.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Facts } from './facts.tsx';
import { noRecordText } from './record/no-record.ts';
import { RecordSection } from './record/record-section.tsx';
import { Section } from './section.tsx';

/** Published strategy of somebody else. */
export const PublicStrategy = ({ strategy }: { readonly strategy: StrategyRulesOut }) => {
  const [copied, setCopied] = useCopySource();
  const { strategy_name: name, author, performance, rules_visibility: visibility } = strategy;
  const isClosed = visibility === 'closed';
  return (
    <Screen
      title={name}
      section="explore"
      lead={
        <>
          by <a href={`#/authors/${encodeURIComponent(author.user_key)}`}>{author.name}</a>
        </>
      }
      actions={
        <>
          <LikeButton strategy={strategy} />
          {!isClosed && (
            <Button kind="primary" onClick={() => setCopied(strategy)}>
              Copy
            </Button>
          )}
        </>
      }
    >
      <Section title="What it does">
        {strategy.sentence !== null && <p class="sentence">{strategy.sentence}</p>}
        {isClosed && <Notice>The author keeps the rules closed: nobody else can read or copy them.</Notice>}
        {visibility === null && (
          <Notice>
            It has no rules here. A program of the author decides its trades, so a copy does nothing by
            itself.
          </Notice>
        )}
        {visibility === 'open' && (
          <p class="muted">A copy has all rules: you can read, test and change them.</p>
        )}
        {strategy.description !== null && <p class="description">{strategy.description}</p>}
        <Facts strategy={strategy} />
      </Section>
      {performance.source === 'record' ? (
        <RecordSection strategy={strategy} />
      ) : (
        <Section title="How it has done">
          <Performance performance={performance} name={name} />
          <p class="muted">{noRecordText(strategy)} Past results say little about coming ones.</p>
        </Section>
      )}
      <CopyDialog source={copied} onClose={() => setCopied(undefined)} />
    </Screen>
  );
};
