import { useState } from 'preact/hooks';
import { ME, stepUpHub } from '../hub.ts';
import { Button } from './button.tsx';
import { CodeInput } from './code-input.tsx';
import { Field, PasswordInput } from './field.tsx';
import { Problem } from './notice.tsx';
import { StepUpForm } from './step-up-form.tsx';
import { useAction } from './use-action.ts';

export interface WayProps {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

interface CodeFieldProps {
  readonly code: string;
  readonly onCode: (code: string) => void;
}

/** Button that mails a code of a step-up, and its entry. */
export const MailedCode = ({ code, onCode }: CodeFieldProps) => {
  const [sentTo, setSentTo] = useState('');
  const send = useAction(async () => {
    const { sent_to } = await stepUpHub.sendStepUpCode({ user_id: ME });
    setSentTo(sent_to);
  });
  return (
    <>
      <div class="row">
        <Button busy={send.isBusy} onClick={send.run}>
          {sentTo === '' ? 'Mail me a code' : 'Send it again'}
        </Button>
        <span role="status">{sentTo !== '' && `A code is on its way to ${sentTo}.`}</span>
      </div>
      <Problem of={send.error} />
      <Field label="Code from the mail">
        <CodeInput value={code} onValue={onCode} digits={8} />
      </Field>
    </>
  );
};

/** Step-up of an account without a second factor. */
export const PasswordWay = ({ onDone, onCancel }: WayProps) => {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    await stepUpHub.stepUp({ user_id: ME, body: { password, code } });
    onDone();
  });
  return (
    <StepUpForm action={action} onCancel={onCancel}>
      <MailedCode code={code} onCode={setCode} />
      <Field label="Password">
        <PasswordInput value={password} onValue={setPassword} autocomplete="current-password" required />
      </Field>
      <p>
        <a href="#/settings?part=security">A passkey or an authenticator app</a> is safer than mail, and
        faster.
      </p>
    </StepUpForm>
  );
};

/** Step-up of an account without a second factor and without a password. */
export const MailedCodeWay = ({ onDone, onCancel }: WayProps) => {
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    await stepUpHub.stepUp({ user_id: ME, body: { code } });
    onDone();
  });
  return (
    <StepUpForm action={action} onCancel={onCancel}>
      <MailedCode code={code} onCode={setCode} />
    </StepUpForm>
  );
};
