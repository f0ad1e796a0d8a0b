import { useState } from 'preact/hooks';
import type { StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { RulesView } from '../../rules/rules-view.tsx';
import { sentenceDiff } from '../../strategies/sentence-diff.ts';
import { Button } from '../../ui/button.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { Section } from './section.tsx';

type Version = StrategyRulesOut['versions'][number];

const Change = ({ before, after }: { readonly before: string; readonly after: string }) => (
  <p class="sentence">
    {sentenceDiff(before, after).map(({ kind, text }, index) => {
      if (kind === 'added') {
        return (
          <ins key={index}>
            <span class="unseen">Added: </span>
            {text}{' '}
          </ins>
        );
      }
      if (kind === 'removed') {
        return (
          <del key={index}>
            <span class="unseen">Removed: </span>
            {text}{' '}
          </del>
        );
      }
      return <span key={index}>{text} </span>;
    })}
  </p>
);

const VersionRules = ({ strategyId, version }: { readonly strategyId: number; readonly version: number }) => {
  const strategy = useResource(
    (signal) => hub.getStrategy({ user_id: ME, strategy_id: strategyId, rules_version: version }, { signal }),
    [strategyId, version],
  );
  return (
    <Loaded of={strategy}>
      {({ rules }) => <RulesView rules={rules} hasSentence={false} name={`version ${version}`} />}
    </Loaded>
  );
};

interface VersionItemProps {
  readonly strategyId: number;
  readonly version: Version;
  /** Version before; undefined for the first one that is kept. */
  readonly before: Version | undefined;
  readonly isCurrent: boolean;
}

const VersionItem = ({ strategyId, version, before, isCurrent }: VersionItemProps) => {
  const [isOpen, setOpen] = useState(false);
  const isSameSentence = before?.sentence === version.sentence;
  return (
    <li class="stack">
      <div class="row row-apart">
        <h3>
          Version {format.count(version.version)}
          {isCurrent && ', in use'}{' '}
          <small class="muted">
            <When at={version.changed_at} />
          </small>
        </h3>
        {!isCurrent && (
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'} the rules<span class="unseen"> of version {version.version}</span>
          </Button>
        )}
      </div>
      {before && !isSameSentence && <Change before={before.sentence} after={version.sentence} />}
      {before && isSameSentence && (
        <p class="muted">
          Details changed that the sentence does not name. Show the rules of both to compare them.
        </p>
      )}
      {!before && <p class="sentence">{version.sentence}</p>}
      {isOpen && <VersionRules strategyId={strategyId} version={version.version} />}
    </li>
  );
};

const FIRST_SHOWN = 3;

/** Versions of the rules, newest first, each with what it changed. */
export const Versions = ({
  strategy: { strategy_id: id, versions },
}: {
  readonly strategy: StrategyRulesOut;
}) => {
  const [isWhole, setWhole] = useState(false);
  if (versions.length < 2) return null;
  const shown = isWhole ? versions : versions.slice(0, FIRST_SHOWN);
  return (
    <Section title="Versions of the rules">
      <p class="muted">Deployments keep the rules with which they began, whatever you change later.</p>
      <ol class="versions" reversed>
        {shown.map((version, index) => (
          <VersionItem
            key={version.version}
            strategyId={id}
            version={version}
            before={versions[index + 1]}
            isCurrent={index === 0}
          />
        ))}
      </ol>
      {shown.length < versions.length && (
        <div>
          <Button onClick={() => setWhole(true)}>Show all {format.count(versions.length)} versions</Button>
        </div>
      )}
    </Section>
  );
};
