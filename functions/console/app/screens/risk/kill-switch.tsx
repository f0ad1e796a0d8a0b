import type { KillSwitch, ThrownSwitch } from '../../../../../infra/client/package/src/index.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { keptValues } from '../../kept.ts';
import { killSwitchChanges } from '../../kill-switch.ts';
import { actorWords } from '../../risk/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Checkbox, Field, TextInput } from '../../ui/field.tsx';
import { When } from '../../ui/figures.tsx';
import { Notice, Tag } from '../../ui/notice.tsx';
import { fieldProblem } from '../../ui/problem-text.ts';
import { useAction } from '../../ui/use-action.ts';
import { useKept, useKeptFlag, useKeptText } from '../../ui/use-kept.ts';

const MAX_REASON = 300;
/** Reason of a switch for which none was typed: an emergency leaves no time for one. */
const USUAL_REASON = 'By hand, in the console';

const reasonOf = (typed: string): string => typed.trim() || USUAL_REASON;

interface SwitchDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const Reason = ({
  value,
  onValue,
  error,
}: {
  value: string;
  onValue: (text: string) => void;
  error: unknown;
}) => (
  <Field
    label="Reason (optional)"
    hint={`Kept in the audit trail, for you and for those who are affected. Without one: “${USUAL_REASON}”.`}
    error={fieldProblem(error, 'reason')}
  >
    <TextInput value={value} onValue={onValue} maxLength={MAX_REASON} />
  </Field>
);

/** Dialog that throws the kill switch of the user. */
export const ThrowSwitch = ({ open, onClose, onDone }: SwitchDialogProps) => {
  const [reason, setReason] = useKeptText('reason to throw');
  const [flatten, setFlatten] = useKeptFlag('close positions');
  const action = useAction(async () => {
    await hub.killSwitch({ user_id: ME, body: { action: 'throw', reason: reasonOf(reason), flatten } });
    onDone();
  });
  return (
    <Confirm
      title="Throw the kill switch"
      action={flatten ? 'Stop everything and close positions' : 'Stop all orders'}
      open={open}
      busy={action.isBusy}
      error={fieldProblem(action.error, 'reason') ? undefined : action.error}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>This happens at once, for all your deployments, with real money and on paper:</p>
      <ul>
        <li>No further order leaves.</li>
        <li>All deployments are halted within seconds. Nothing can be deployed or resumed.</li>
        <li>
          {flatten
            ? 'Open orders are cancelled and all positions are closed at the market.'
            : 'Open positions stay as they are: nothing watches their stops any more.'}
        </li>
      </ul>
      <p>You can re-arm the switch later. Deployments stay halted until you resume them, one by one.</p>
      <Checkbox checked={flatten} onChecked={setFlatten}>
        Cancel open orders and close all positions, too
      </Checkbox>
      <Reason value={reason} onValue={setReason} error={action.error} />
    </Confirm>
  );
};

const ReArm = ({ open, onClose, onDone }: SwitchDialogProps) => {
  const [reason, setReason] = useKeptText('reason to re-arm');
  const action = useAction(async () => {
    await hub.killSwitch({ user_id: ME, body: { action: 're_arm', reason: reasonOf(reason) } });
    onDone();
  });
  return (
    <Confirm
      title="Re-arm the kill switch"
      action="Re-arm"
      danger={false}
      open={open}
      busy={action.isBusy}
      error={fieldProblem(action.error, 'reason') ? undefined : action.error}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p>
        Deployments can be resumed and started again. Those that were halted stay halted until you resume
        them, one by one.
      </p>
      <Reason value={reason} onValue={setReason} error={action.error} />
    </Confirm>
  );
};

const COVERED: Readonly<Record<ThrownSwitch['level'], string>> = {
  user: 'your deployments',
  broker: 'all deployments at the broker',
  service: 'all deployments of the service',
};

const Thrown = ({ by, level, broker_id: broker, since, reason, flatten }: ThrownSwitch) => (
  <li>
    <strong>{actorWords(by)}</strong> stopped{' '}
    {level === 'user' && broker !== null ? 'your deployments at the broker' : COVERED[level]} on{' '}
    <When at={since} seconds />. Reason: “{reason}”.{flatten && ' Positions are closed, too.'}
    {by !== 'user' && ' Only they can allow orders again.'}
  </li>
);

const progressOf = ({ halting }: KillSwitch): string => {
  if (!halting) return '';
  if (halting.halted === 0 && halting.finished_at !== null) return 'You have no deployment to halt.';
  const count = format.count(halting.halted);
  return halting.finished_at === null
    ? `Halting your deployments: ${count} so far.`
    : `All your deployments are halted: ${count}.`;
};

/** Actions that a dialog asks about. */
const ASKED = keptValues<'throw' | 're_arm' | undefined>();

interface KillSwitchCardProps {
  readonly state: KillSwitch;
  readonly onChange: () => void;
}

/** State of the kill switches that cover the user, and the own one to throw and to re-arm. */
export const KillSwitchCard = ({ state, onChange }: KillSwitchCardProps) => {
  const [asked, setAsked] = useKept(ASKED, 'kill switch', () => undefined);
  const isOwn = state.switches.some(({ by }) => by === 'user');
  const close = (): void => setAsked(undefined);
  const done = (): void => {
    close();
    killSwitchChanges.value++;
    onChange();
  };
  return (
    <section class="card" aria-labelledby="kill-switch">
      <div class="row row-apart">
        <h2 id="kill-switch">Kill switch</h2>
        {state.thrown ? (
          <Tag kind="bad">Thrown: no order leaves</Tag>
        ) : (
          <Tag kind="good">Armed: orders can leave</Tag>
        )}
      </div>
      {state.thrown ? (
        <Notice kind="bad">
          <ul class="plain-list">
            {state.switches.map((one) => (
              <Thrown key={`${one.level} ${one.by} ${one.broker_id ?? ''}`} {...one} />
            ))}
          </ul>
          <p>
            {progressOf(state)} Deployments that are halted stay so until you{' '}
            <a href="#/deployments">resume them</a>.
          </p>
        </Notice>
      ) : (
        <p class="muted">
          Stops all your orders at once and halts every deployment. Use it when something goes wrong and you
          do not know what. To stop a single deployment, open it under <a href="#/deployments">Deployments</a>
          .
        </p>
      )}
      <div class="actions">
        {isOwn && (
          <Button kind="primary" onClick={() => setAsked('re_arm')}>
            Re-arm…
          </Button>
        )}
        <Button kind={isOwn ? 'plain' : 'danger'} onClick={() => setAsked('throw')}>
          {isOwn ? 'Throw it again…' : 'Throw the kill switch…'}
        </Button>
      </div>
      {asked === 'throw' && <ThrowSwitch open onClose={close} onDone={done} />}
      {asked === 're_arm' && <ReArm open onClose={close} onDone={done} />}
    </section>
  );
};
