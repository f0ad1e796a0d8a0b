import { useEffect, useState } from 'preact/hooks';
import type { StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { isRulesChanged } from '../../rules/changed.ts';
import { recordEffect } from '../../strategies/record-effects.ts';
import { VISIBILITIES, type Visibility, visibilityOf } from '../../strategies/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { Section } from './section.tsx';

const CHOICES: readonly Visibility[] = ['private', 'link', 'profile', 'explore'];
const STATES = { private: 0, link: 2, profile: 1 } as const;

const publish = async (strategy: StrategyRulesOut, to: Visibility): Promise<void> => {
  const input = { user_id: ME, strategy_id: strategy.strategy_id };
  if (to === 'explore') {
    await hub.publishExploreStrategy(input);
    return;
  }
  await hub.profilePublishStrategy({ ...input, publish_state: STATES[to], is_listed: false });
};

const ShareKey = ({ value }: { readonly value: string }) => {
  const copying = useAction(() => navigator.clipboard.writeText(value));
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="row">
      <span>
        Share key: <code>{value}</code>
      </span>
      <Button
        busy={copying.isBusy}
        onClick={async () => {
          await copying.run();
          setCopied(true);
        }}
      >
        Copy the key
      </Button>
      <span class="muted" role="status">
        {isCopied && copying.error === undefined && 'Copied.'}
        {copying.error !== undefined &&
          'The browser does not allow copying. Mark the key and copy it yourself.'}
      </span>
    </div>
  );
};

/** Says what a choice does to the track record, before it is made. */
const Effect = ({
  strategy,
  chosen,
}: {
  readonly strategy: StrategyRulesOut;
  readonly chosen: Visibility;
}) => {
  const text = recordEffect({
    from: visibilityOf(strategy),
    to: chosen,
    hasRules: strategy.rules !== null,
  });
  return text === undefined ? null : <Notice>{text}</Notice>;
};

interface VisibilityProps {
  readonly strategy: StrategyRulesOut;
  readonly onChanged: () => void;
}

/** Choice of who can see a strategy and its rules. */
export const VisibilitySection = ({ strategy, onChanged }: VisibilityProps) => {
  const current = visibilityOf(strategy);
  const [chosen, setChosen] = useState(current);
  useEffect(() => setChosen(current), [current]);
  const saving = useAction(async () => {
    await publish(strategy, chosen);
    onChanged();
  });
  const { rules } = strategy;
  const [isOutdated, setOutdated] = useState(false);
  const closing = useAction(async (isClosed: boolean) => {
    if (rules === null) return;
    setOutdated(false);
    try {
      await hub.setStrategyRules({
        user_id: ME,
        strategy_id: strategy.strategy_id,
        // Other windows may have saved newer rules than those that are shown.
        expected_rules_version: strategy.rules_version ?? 0,
        rules_visibility: isClosed ? 'closed' : 'open',
        body: rules,
      });
    } catch (error) {
      if (!isRulesChanged(error)) throw error;
      setOutdated(true);
    }
    onChanged();
  });
  const isArchived = strategy.status === 'archived';
  return (
    <Section title="Who can see it">
      {isArchived && <p class="muted">An archived strategy is seen by nobody else.</p>}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void saving.run();
        }}
      >
        <fieldset class="visibilities" disabled={isArchived}>
          <legend class="unseen">Who can see it</legend>
          {CHOICES.map((choice) => (
            <label key={choice} class="visibility">
              <input
                type="radio"
                name="visibility"
                checked={choice === chosen}
                onChange={() => setChosen(choice)}
              />
              <span>
                <strong>{VISIBILITIES[choice].label}</strong>
                {choice === current && ' (now)'}
                <br />
                <span class="muted">{VISIBILITIES[choice].effect}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Effect strategy={strategy} chosen={chosen} />
        <Problem of={saving.error} />
        {chosen !== current && (
          <div class="actions">
            <Button submit kind="primary" busy={saving.isBusy}>
              Change who can see it
            </Button>
          </div>
        )}
      </form>
      {rules !== null && (
        <>
          <Checkbox
            checked={(strategy.rules_visibility === 'closed') !== closing.isBusy}
            disabled={closing.isBusy || isArchived}
            onChecked={(isClosed) => void closing.run(isClosed)}
          >
            Keep the rules closed: others see the results, but can neither read nor copy the rules
          </Checkbox>
          <Problem of={closing.error} />
          {isOutdated && (
            <Notice kind="warn">
              The rules were changed elsewhere meanwhile, so nothing was set. This page shows the new rules:
              look at them, then choose again.
            </Notice>
          )}
        </>
      )}
      {current !== 'private' && strategy.rules_visibility !== 'closed' && (
        <ShareKey value={strategy.strategy_key} />
      )}
    </Section>
  );
};
