import { useState } from 'preact/hooks';
import { hub, ME } from '../../hub.ts';
import { publicHub } from '../../public-hub.ts';
import { navigate } from '../../router.ts';
import { signOut } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAction } from '../../ui/use-action.ts';

const PROOFS = [
  { key: 'password', label: 'By password' },
  { key: 'code', label: 'By mailed code' },
] as const;

/** Asks for the proof and deletes the account. */
const Dialogue = ({
  email,
  open,
  onClose,
}: {
  readonly email: string;
  readonly open: boolean;
  readonly onClose: () => void;
}) => {
  const [proof, setProof] = useState<string>('password');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const isByCode = proof === 'code';
  const send = useAction(() => publicHub.sendOtpPasswordReset({ email }));
  const [isSent, setSent] = useState(false);
  const remove = useAction(async () => {
    const body = isByCode ? { email, otp: Number(code) } : { email, password };
    await hub.deleteAccount({ user_id: ME, body });
    await signOut();
    navigate('/sign-in', { replace: true });
  });
  const isReady = isByCode ? /^\d{6}$/.test(code) : password !== '';
  const close = (): void => {
    setPassword('');
    setCode('');
    remove.clear();
    onClose();
  };
  return (
    <Confirm
      title="Delete your account"
      action="Delete for good"
      open={open}
      busy={remove.isBusy}
      disabled={!isReady}
      error={remove.error}
      onConfirm={remove.run}
      onClose={close}
    >
      <p>This cannot be undone. Within a week, mostly within minutes:</p>
      <ul>
        <li>you are signed out everywhere, and your platform token and webhooks end;</li>
        <li>your paper deployments, scanners and notifications stop;</li>
        <li>
          your strategies, trades, backtests and settings are removed. Published strategies that others like
          or copied stay without your name.
        </li>
      </ul>
      <p>
        It is refused while real deployments run or real positions are open:{' '}
        <a href="#/deployments">stop them</a> first.
      </p>
      <Tabs label="Proof that it is you" items={PROOFS} current={proof} onChoose={setProof} />
      {isByCode ? (
        <>
          <div class="row">
            <Button busy={send.isBusy} onClick={async () => setSent((await send.run()) !== undefined)}>
              {isSent ? 'Send another code' : `Send a code to ${email}`}
            </Button>
          </div>
          <Problem of={send.error} />
          {isSent && <Notice kind="good">A code is on its way. It is valid for 10 minutes.</Notice>}
          <Field label="Code" hint="6 digits, from the mail.">
            <TextInput
              value={code}
              onValue={setCode}
              inputMode="numeric"
              autocomplete="one-time-code"
              maxLength={6}
            />
          </Field>
        </>
      ) : (
        <Field label="Password">
          <PasswordInput value={password} onValue={setPassword} autocomplete="current-password" />
        </Field>
      )}
    </Confirm>
  );
};

/** Deletion of the account. */
export const DeleteAccount = ({ email }: { readonly email: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card" aria-labelledby="delete-title">
      <h2 id="delete-title">Delete the account</h2>
      <p>Stops everything and removes your data for good.</p>
      <div class="actions">
        <Button kind="danger" onClick={() => setOpen(true)}>
          Delete my account…
        </Button>
      </div>
      <Dialogue email={email} open={isOpen} onClose={() => setOpen(false)} />
    </section>
  );
};
