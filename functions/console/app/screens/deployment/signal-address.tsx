import { useState } from 'preact/hooks';
import { type GetDeploymentOutput, HubApiError } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { Field, NumberInput } from '../../ui/field.tsx';
import { When } from '../../ui/figures.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { fieldProblem } from '../../ui/problem-text.ts';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';

type Facts = Pick<GetDeploymentOutput, 'deployment_id' | 'deployment_type' | 'live'>;

type Hook = NonNullable<Awaited<ReturnType<typeof readHook>>>;

/** Reads the address of a deployment; undefined if it has none. */
const readHook = async (deployment_id: number, signal: AbortSignal) => {
  try {
    return await hub.getSignalHook({ user_id: ME, deployment_id }, { signal });
  } catch (error) {
    if (error instanceof HubApiError && error.code === 'hook_unknown') return undefined;
    throw error;
  }
};

const HookForm = ({ of: { deployment_id, live } }: { of: Facts }) => {
  const isReal = live?.mode === 'live';
  const [most, setMost] = useState('');
  const input = { user_id: ME, deployment_id };
  const hook = useResource((signal) => readHook(deployment_id, signal), [deployment_id]);
  const [made, setMade] = useState<Awaited<ReturnType<typeof hub.createSignalHook>>>();
  const create = useAction(async () => {
    setMade(await hub.createSignalHook({ ...input, body: isReal ? { max_quantity: most.trim() } : {} }));
    hook.reload();
  });
  const revoke = useAction(async () => {
    await hub.revokeSignalHook(input);
    setMade(undefined);
    hook.reload();
  });
  const present = hook.value;
  return (
    <>
      {present && (
        <p>
          An address is open since <When at={present.created_at} />.{' '}
          {present.signalled_at ? (
            <>
              The last signal came <When at={present.signalled_at} />.
            </>
          ) : (
            'No signal has come yet.'
          )}
        </p>
      )}
      {present && <Refused of={present.refused} />}
      {made && (
        <Notice kind="good">
          <p>
            <strong>Copy the address now. It is not shown again.</strong>
          </p>
          <p>
            <code>{made.url}</code>
          </p>
          <p>Message of the alert:</p>
          <p>
            <code>{made.template}</code>
          </p>
          {'clipboard' in navigator && (
            <div class="actions">
              <Button onClick={() => void navigator.clipboard.writeText(made.url)}>Copy the address</Button>
              <Button onClick={() => void navigator.clipboard.writeText(made.template)}>
                Copy the message
              </Button>
            </div>
          )}
        </Notice>
      )}
      {isReal && (
        <Field
          label="Largest quantity of an order"
          hint="Larger orders are refused."
          error={fieldProblem(create.error, 'max_quantity')}
        >
          <NumberInput value={most} onValue={setMost} />
        </Field>
      )}
      <Problem of={create.error ?? revoke.error} />
      <div class="actions">
        <Button busy={create.isBusy} onClick={() => void create.run()}>
          {present ? 'Replace the address' : 'Open an address'}
        </Button>
        {present && (
          <Button kind="danger" busy={revoke.isBusy} onClick={() => void revoke.run()}>
            Close the address
          </Button>
        )}
      </div>
    </>
  );
};

/** Lists the alerts that had no effect: their sender shows no answer. */
const Refused = ({ of: refused }: { of: Hook['refused'] }) =>
  refused.length === 0 ? null : (
    <>
      <h3>Refused alerts</h3>
      <ul class="plain-list">
        {refused.map(({ at, reason, text }) => (
          <li key={`${at} ${text}`}>
            <When at={at} />: {reason}
            {text !== '' && (
              <>
                {' '}
                <code>{text}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );

const WORDS = {
  virtual:
    'Each signal is a market order on paper. It fills at the first price after its arrival, with the costs of its class.',
  live: 'Each signal is a real market order at your broker. It needs risk limits, an id and the time of the alert; alerts older than a minute never order. Without a stop in the signal, nothing ends the trade but your next signal and your limits.',
} as const;

/** Address at which a deployment without an own engine takes signals. It is read when it is asked for. */
export const SignalAddress = ({ of: facts }: { of: Facts }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card">
      <h2>Signals from outside</h2>
      <p>
        An alert elsewhere, such as in TradingView, can send signals to an address.{' '}
        {facts.deployment_type === 'live'
          ? WORDS[facts.live?.mode ?? 'virtual']
          : 'Each signal is a notification for you.'}{' '}
        Whoever has the address can send them, so keep it to yourself.
      </p>
      {isOpen ? (
        <HookForm key={facts.deployment_id} of={facts} />
      ) : (
        <div class="actions">
          <Button onClick={() => setOpen(true)}>Set up signals</Button>
        </div>
      )}
    </section>
  );
};
