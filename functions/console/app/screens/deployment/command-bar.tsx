import type { GetDeploymentOutput } from '../../../../../infra/client/package/src/index.ts';
import { type Commanded, Commands } from '../../deployments/commands.tsx';
import { LiveBadge } from '../../deployments/real-badge.tsx';
import { State } from '../../deployments/state.tsx';
import { type DeploymentFacts, isOver } from '../../deployments/state-words.ts';
import { killSwitchChanges } from '../../kill-switch.ts';
import { Button } from '../../ui/button.tsx';
import { Mode } from '../../ui/mode.tsx';
import { useKeptFlag } from '../../ui/use-kept.ts';
import { ThrowSwitch } from '../risk/kill-switch.tsx';

interface CommandBarProps {
  readonly of: GetDeploymentOutput;
  readonly facts: DeploymentFacts;
  readonly commanded: Commanded;
  readonly onDone: () => void;
}

/** State of a deployment with its commands and the kill switch. It stays at the top of the page. */
export const CommandBar = ({ of: value, facts, commanded, onDone }: CommandBarProps) => {
  const [isThrowing, setThrowing] = useKeptFlag('kill switch');
  const close = (): void => setThrowing(false);
  return (
    <section class="command-bar" aria-label="Commands">
      <div class="row">
        {value.live && <Mode mode={value.live.mode} />}
        <State of={facts} />
        <LiveBadge />
      </div>
      <div class="actions">
        <Commands of={commanded} onDone={onDone} />
        {!isOver(value.status) && (
          <Button kind="danger" onClick={() => setThrowing(true)}>
            Kill switch
          </Button>
        )}
      </div>
      <ThrowSwitch
        open={isThrowing}
        onClose={close}
        onDone={() => {
          close();
          killSwitchChanges.value++;
          onDone();
        }}
      />
    </section>
  );
};
