import { useState } from 'preact/hooks';
import { publicHub } from '../../public-hub.ts';
import { navigate } from '../../router.ts';
import { signIn, user } from '../../session.ts';
import { AccountForm } from '../../ui/account-form.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeInput } from '../../ui/code-input.tsx';
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MAX_PASSWORD, MIN_PASSWORD, PASSWORD_HINT } from '../../ui/password.ts';
import { fieldProblem } from '../../ui/problem-text.ts';
import { useAction } from '../../ui/use-action.ts';

/** Leads back to the place of a signed-in user, who confirms the address here, or to the sign-in. */
const Back = () =>
  user.value ? <a href="#/settings">Back to the settings</a> : <a href="#/sign-in">Back to the sign-in</a>;

interface CodeProps {
  readonly email: string;
  readonly minutes: number;
  readonly onOther: () => void;
}

/** Second step: the mailed code and the new password. */
const NewPassword = ({ email, minutes, onOther }: CodeProps) => {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    await publicHub.resetPassword({ email, new_password: password, otp: Number(code) });
    await signIn(email, password);
    navigate('/', { replace: true });
  });
  const passwordError = fieldProblem(action.error, 'new_password');
  const codeError = fieldProblem(action.error, 'otp');
  return (
    <AccountForm
      title="Set a new password"
      submit="Set the password and sign in"
      action={action}
      error={passwordError || codeError ? undefined : action.error}
      more={<Back />}
    >
      <Notice>
        If {email} is registered, a code of six digits is on its way. It is valid for {minutes} minutes. Look
        into the spam folder, too.
      </Notice>
      <Field label="Code from the mail" error={codeError}>
        <CodeInput value={code} onValue={setCode} digits={6} />
      </Field>
      <Field label="New password" hint={`${PASSWORD_HINT} All devices are signed out.`} error={passwordError}>
        <PasswordInput
          value={password}
          onValue={setPassword}
          autocomplete="new-password"
          minLength={MIN_PASSWORD}
          maxLength={MAX_PASSWORD}
          required
        />
      </Field>
      <Button kind="quiet" onClick={onOther}>
        Send another code
      </Button>
    </AccountForm>
  );
};

const Reset = () => {
  const [typed, setTyped] = useState<string>();
  const email = typed ?? user.value?.email ?? '';
  const [minutes, setMinutes] = useState<number>();
  const action = useAction(async () => {
    const { expires_in: seconds } = await publicHub.sendOtpPasswordReset({ email: email.trim() });
    setMinutes(Math.floor(seconds / 60));
  });
  if (minutes !== undefined) {
    return <NewPassword email={email.trim()} minutes={minutes} onOther={() => setMinutes(undefined)} />;
  }
  return (
    <AccountForm
      title={user.value ? 'Set a new password' : 'Forgot the password'}
      lead="You get a code by mail, with which you set a new password. It confirms your e-mail, too."
      submit="Send the code"
      action={action}
      more={<Back />}
    >
      <Field label="E-mail" error={fieldProblem(action.error, 'email')}>
        <TextInput type="email" value={email} onValue={setTyped} autocomplete="username" required />
      </Field>
    </AccountForm>
  );
};

export default Reset;
