import type { GetDeploymentOutput } from '../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../hub.ts';
import { keptValues } from '../kept.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Checkbox, Field, TextInput } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import { useKept, useKeptFlag, useKeptText } from '../ui/use-kept.ts';
import { closingText, commandsFor, type DeploymentFacts } from './state-words.ts';

type Command = 'pause' | 'resume' | 'stop';

/** Commands whose dialog is open. */
const COMMANDS = keptValues<Command | undefined>();

/** A deployment to command. */
export interface Commanded extends DeploymentFacts {
  readonly id: number;
  readonly name: string;
  readonly hasPositions: boolean;
  readonly isReal: boolean;
  readonly isExternal: boolean;
}

const TITLES: Readonly<Record<Command, string>> = { pause: 'Pause', resume: 'Resume', stop: 'Stop' };

const Effect = ({ command, of: { kind, held, isReal, isExternal } }: { command: Command; of: Commanded }) => {
  if (command === 'pause') {
    return (
      <p>
        {kind === 'live'
          ? 'It opens no further position, and orders that wait for an entry are cancelled. Stops, targets and exits of open positions go on.'
          : 'It stays as it is, but notifies of nothing until you resume it.'}
      </p>
    );
  }
  if (command === 'resume') {
    return (
      <>
        <p>{kind === 'live' ? 'It may open positions again.' : 'It notifies again.'}</p>
        {held?.by === 'risk_limit' && (
          <Notice kind="warn">
            A risk limit stopped it. Losses of the day and the drawdown then count from now on.
          </Notice>
        )}
        {isReal && <Notice kind="warn">It trades with real money.</Notice>}
      </>
    );
  }
  if (kind !== 'live')
    return <p>It ends at once and notifies of nothing more. It cannot be started again.</p>;
  return (
    <p>
      Its waiting orders are cancelled, and it ends for good.{' '}
      {(isExternal || isReal) &&
        'Its engine has ten minutes to confirm; until then it is shown as stopping. '}
      You can deploy the strategy again at any time.
    </p>
  );
};

interface DialogProps {
  readonly command: Command;
  readonly of: Commanded;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Dialog of one command: says what happens, and asks for what the command needs. */
const CommandDialog = ({ command, of: deployment, onClose, onDone }: DialogProps) => {
  const own = `${command} ${deployment.id}`;
  const [reason, setReason] = useKeptText(own);
  const [flatten, setFlatten] = useKeptFlag(own, true);
  const { id: deployment_id, name, kind, held, hasPositions, isReal } = deployment;
  const needsReason = command === 'resume' && held !== null && held.by !== 'user';
  const action = useAction(async (): Promise<void> => {
    const given = reason.trim();
    const input = { user_id: ME, deployment_id, ...(given !== '' && { reason: given }) };
    if (command === 'pause') await hub.pauseDeployment(input);
    else if (command === 'resume') await hub.resumeDeployment(input);
    else await hub.stopDeployment({ ...input, flatten: kind === 'live' && flatten });
    onDone();
    onClose();
  });
  return (
    <Confirm
      title={`${TITLES[command]} “${name}”?`}
      open
      action={TITLES[command]}
      danger={command === 'stop' || (command === 'resume' && isReal)}
      busy={action.isBusy}
      disabled={needsReason && reason.trim() === ''}
      error={action.error}
      onConfirm={() => void action.run()}
      onClose={onClose}
    >
      <Effect command={command} of={deployment} />
      {command === 'stop' && kind === 'live' && (
        <>
          <Checkbox checked={flatten} onChecked={setFlatten}>
            Close open positions at the market
          </Checkbox>
          <p class="muted">{closingText({ flatten, hasPositions })}</p>
        </>
      )}
      <Field
        label={needsReason ? 'Reason' : 'Reason (optional)'}
        hint={
          needsReason
            ? 'Others paused or halted it, so the audit trail needs your reason.'
            : 'Kept in the audit trail.'
        }
      >
        <TextInput value={reason} onValue={setReason} maxLength={300} required={needsReason} />
      </Field>
    </Confirm>
  );
};

interface CommandsProps {
  readonly of: Commanded;
  readonly onDone: () => void;
  /** True in tables, where each row has the same buttons. */
  readonly isInTable?: boolean;
}

/** Buttons that pause, resume and stop a deployment, as its state allows. */
export const Commands = ({ of: deployment, onDone, isInTable = false }: CommandsProps) => {
  const [command, setCommand] = useKept(COMMANDS, `command ${deployment.id}`, () => undefined);
  const allowed = commandsFor(deployment);
  const shown = (['pause', 'resume', 'stop'] as const).filter((one) => allowed[one]);
  return (
    <>
      {shown.map((one) => (
        <Button
          key={one}
          kind={one === 'stop' && !isInTable ? 'danger' : 'plain'}
          aria-label={isInTable ? `${TITLES[one]} ${deployment.name}` : undefined}
          onClick={() => setCommand(one)}
        >
          {TITLES[one]}
        </Button>
      ))}
      {command && (
        <CommandDialog
          command={command}
          of={deployment}
          onClose={() => setCommand(undefined)}
          onDone={onDone}
        />
      )}
    </>
  );
};

type Live = NonNullable<GetDeploymentOutput['live']>;
type Other = NonNullable<GetDeploymentOutput['notification'] | GetDeploymentOutput['scanner']>;

/** Returns a live or paper deployment as its commands need it. */
export const commandedLive = (one: Live): Commanded => ({
  ...one,
  kind: 'live',
  id: one.deployment_id,
  name: one.strategy_name,
  hasPositions: one.positions.length > 0,
  isReal: one.mode === 'live',
  isExternal: one.engine === 'external',
});

/** Returns a notification deployment or scanner as its commands need it. */
export const commandedOther = (one: Other, kind: 'notification' | 'scanner'): Commanded => ({
  ...one,
  kind,
  id: one.deployment_id,
  name: one.strategy_name,
  hasPositions: false,
  isReal: false,
  isExternal: one.engine === 'external',
});
