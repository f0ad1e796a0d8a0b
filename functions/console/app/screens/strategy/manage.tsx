import { useState } from 'preact/hooks';
import type { StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, useConfirmed } from '../../ui/dialog.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { Section } from './section.tsx';

interface ManageProps {
  readonly strategy: StrategyRulesOut;
  readonly onChanged: () => void;
}

/** Finds the deploy key, which is in the list of own strategies only. */
const findDeployKey = async ({
  strategy_id,
  strategy_name,
  is_copied,
}: StrategyRulesOut): Promise<string> => {
  const named = hub.getStrategiesByUser({
    user_id: ME,
    is_copied: is_copied === 1 ? 1 : 0,
    search_key: strategy_name,
    size: 100,
  });
  for await (const own of named) if (own.strategy_id === strategy_id) return own.keygen;
  throw new Error('the list of own strategies lacks one of them');
};

const DeployKey = ({ strategy }: { readonly strategy: StrategyRulesOut }) => {
  const [shown, setShown] = useState<string>();
  const [isReplaced, setReplaced] = useState(false);
  const showing = useAction(async () => setShown(await findDeployKey(strategy)));
  const replacing = useConfirmed(async (_: true) => {
    await hub.rotateKeygen({ user_id: ME, strategy_id: strategy.strategy_id });
    setShown(undefined);
    setReplaced(true);
  });
  return (
    <div class="stack">
      <h3>Deploy key</h3>
      <p class="muted">
        Programs deploy this strategy in your name with it. The buttons of this page do not need it. Who has
        it can start deployments of the strategy, so keep it to yourself.
      </p>
      {isReplaced && <Notice kind="good">The deploy key was replaced. The old one no longer works.</Notice>}
      {shown !== undefined && (
        <p>
          <code>{shown}</code>
        </p>
      )}
      <Problem of={showing.error} />
      <div class="actions">
        {shown === undefined ? (
          <Button busy={showing.isBusy} onClick={() => void showing.run()}>
            Show the deploy key
          </Button>
        ) : (
          <Button onClick={() => setShown(undefined)}>Hide the deploy key</Button>
        )}
        <Button onClick={() => replacing.ask(true)}>Replace the deploy key</Button>
      </div>
      <Confirm title="Replace the deploy key?" action="Replace it" {...replacing.dialog}>
        <p>The present key stops working at once, in every program that has it. Running deployments go on.</p>
      </Confirm>
    </div>
  );
};

const Archive = ({ strategy, onChanged }: ManageProps) => {
  const isArchived = strategy.status === 'archived';
  const moving = useConfirmed(async (_: true) => {
    await hub.archiveStrategy({ user_id: ME, strategy_id: strategy.strategy_id, archived: !isArchived });
    onChanged();
  });
  return (
    <div class="stack">
      <h3>Archive</h3>
      {isArchived ? (
        <>
          <p class="muted">
            Out of the archive, it can be deployed again. It stays private until you publish it.
          </p>
          <Problem of={moving.error} />
          <div class="actions">
            <Button busy={moving.isBusy} onClick={() => void moving.run(true)}>
              Take out of the archive
            </Button>
          </div>
        </>
      ) : (
        <>
          <p class="muted">
            An archived strategy leaves your list and is seen by nobody else. You can take it back.
          </p>
          <div class="actions">
            <Button onClick={() => moving.ask(true)}>Archive</Button>
          </div>
        </>
      )}
      <Confirm title="Archive this strategy?" action="Archive" {...moving.dialog}>
        <p>
          It becomes private, leaves Explore and your profile, and cannot be deployed. Copies of others stay.{' '}
          <strong>Running deployments go on: stop them on their own.</strong>
        </p>
      </Confirm>
    </div>
  );
};

/** Rare actions on an own strategy. */
export const Manage = (props: ManageProps) => (
  <Section title="Manage">
    <DeployKey strategy={props.strategy} />
    <Archive {...props} />
  </Section>
);
