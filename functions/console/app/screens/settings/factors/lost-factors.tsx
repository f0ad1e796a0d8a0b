import { useState } from 'preact/hooks';
import { hub, ME } from '../../../hub.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Field, PasswordInput } from '../../../ui/field.tsx';
import { MailedCode } from '../../../ui/step-up-mailed.tsx';
import { useAction } from '../../../ui/use-action.ts';
import type { FactorsProps } from './factors-props.ts';

/** Request for the removal of factors that are lost, recovery codes included. */
export const LostFactors = ({ onChange }: Pick<FactorsProps, 'onChange'>) => {
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const close = (): void => {
    setOpen(false);
    setPassword('');
    setCode('');
  };
  const remove = useAction(async () => {
    const body = password === '' ? { code } : { password, code };
    await hub.removeLostFactors({ user_id: ME, body });
    close();
    onChange();
  });
  return (
    <section class="card" aria-labelledby="lost-title">
      <h2 id="lost-title">Lost all of them?</h2>
      <p>
        Without a passkey, the app and a recovery code, ask for their removal. It takes 24 hours, all your
        devices are told, and each of them can stop it.
      </p>
      <div class="actions">
        <Button onClick={() => setOpen(true)}>Remove all factors…</Button>
      </div>
      <Confirm
        title="Remove all factors"
        action="Ask for the removal"
        open={isOpen}
        busy={remove.isBusy}
        disabled={code.length < 8}
        error={remove.error}
        onConfirm={remove.run}
        onClose={() => {
          remove.clear();
          close();
        }}
      >
        <p>
          In 24 hours, passkeys, the app and recovery codes end. New real deployments, resumes and connections
          wait for 24 hours more. All that stops or closes works at any time.
        </p>
        <MailedCode code={code} onCode={setCode} />
        <Field label="Password" hint="Leave it empty if you have none.">
          <PasswordInput value={password} onValue={setPassword} autocomplete="current-password" />
        </Field>
      </Confirm>
    </section>
  );
};
