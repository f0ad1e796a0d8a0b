import { DeployDialog } from '../../deploy/deploy-dialog.tsx';
import { RulesView } from '../../rules/rules-view.tsx';
import { CopyDialog, useCopySource } from '../../strategies/copy-dialog.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { LatePart } from '../../ui/late.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useKeptFlag } from '../../ui/use-kept.ts';
import { DescribeDialog } from './describe-dialog.tsx';
import { Facts } from './facts.tsx';
import { OwnResults } from './own-results.tsx';
import type { OwnershipProps } from './ownership.tsx';
import { RecordSection } from './record/record-section.tsx';
import { Section } from './section.tsx';

/** Loads the lower parts of the screen after the rest. */
const loadOwnership = async () => (await import('./ownership.tsx')).Ownership;

/** Own strategy with everything that its owner can do. */
export const OwnStrategy = ({ strategy, onChanged }: OwnershipProps) => {
  const [isDeploying, setDeploying] = useKeptFlag('deploy');
  const [isDescribing, setDescribing] = useKeptFlag('describe');
  const [copied, setCopied] = useCopySource();
  const { strategy_id: id, strategy_name: name, rules, status, parent_strategy_id: parent } = strategy;
  const isArchived = status === 'archived';
  return (
    <Screen
      title={name}
      section="strategies"
      lead={
        parent === null ? (
          'Your strategy.'
        ) : (
          <>
            Your copy of <a href={`#/strategies/${parent}`}>another strategy</a>.
          </>
        )
      }
      actions={
        isArchived ? undefined : (
          <>
            <LinkButton href={`#/strategies/${id}/build`}>
              {rules === null ? 'Add rules' : 'Edit rules'}
            </LinkButton>
            {rules !== null && <LinkButton href={`#/backtests/new?strategy=${id}`}>Backtest</LinkButton>}
            <Button kind="primary" onClick={() => setDeploying(true)}>
              Deploy
            </Button>
          </>
        )
      }
    >
      {isArchived && (
        <Notice kind="warn">
          This strategy is archived: it is private and cannot be deployed. Take it out of the archive below.
        </Notice>
      )}
      <Section
        title="What it does"
        actions={
          <>
            <Button onClick={() => setDescribing(true)}>Rename or describe</Button>
            <Button onClick={() => setCopied(strategy)}>Copy</Button>
          </>
        }
      >
        {strategy.description !== null && <p class="description">{strategy.description}</p>}
        {rules === null ? (
          <p>
            It has no rules yet, so the hub cannot test or run it.{' '}
            <a href={`#/strategies/${id}/build`}>Add rules</a>, for example from a template, or run it with a
            program of your own that reports its orders.
          </p>
        ) : (
          <RulesView rules={rules} />
        )}
        <Facts strategy={strategy} />
      </Section>
      <RecordSection strategy={strategy} />
      <OwnResults strategy={strategy} onDeploy={() => setDeploying(true)} />
      <LatePart load={loadOwnership} props={{ strategy, onChanged }} />
      <DescribeDialog
        strategy={strategy}
        open={isDescribing}
        onClose={() => setDescribing(false)}
        onChanged={onChanged}
      />
      <DeployDialog strategy={strategy} open={isDeploying} onClose={() => setDeploying(false)} />
      <CopyDialog source={copied} onClose={() => setCopied(undefined)} />
    </Screen>
  );
};
