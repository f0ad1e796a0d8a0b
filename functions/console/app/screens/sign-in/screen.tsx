import { useState } from 'preact/hooks';
import { inPage, navigate, type ScreenProps } from '../../router.ts';
import { signIn, signInWithPasskey } from '../../session.ts';
import { type SessionEnd, sessionEnd } from '../../session-cookies.ts';
import { AccountForm } from '../../ui/account-form.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';

const ENDS: Readonly<Record<SessionEnd, string>> = {
  lost: 'Your session has ended: it expired after a long time without use, or the cookies of this browser were cleared.',
  refused:
    'Your session has ended: it expired, or it was ended elsewhere, by signing out there, by a new password or in the list of sessions.',
  other_tab: 'Your session has ended in another tab of this browser.',
  other_user: 'Another user has signed in in this browser, so this page no longer shows your account.',
};

const SignIn = ({ query }: ScreenProps) => {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const to = query.get('to') ?? '/';
  const action = useAction(async () => {
    await signIn(email.trim(), password);
    navigate(inPage(to), { replace: true });
  });
  const byPasskey = useAction(async () => {
    await signInWithPasskey();
    navigate(inPage(to), { replace: true });
  });
  const kept = to === '/' ? '' : `?to=${encodeURIComponent(to)}`;
  return (
    <AccountForm
      title="Sign in"
      submit="Sign in"
      action={action}
      more={
        <>
          <a href="#/reset">Forgot the password?</a>
          <a href={`#/register${kept}`}>Create an account</a>
        </>
      }
    >
      {sessionEnd.value && (
        <Notice>
          {ENDS[sessionEnd.value]} {sessionEnd.value !== 'other_user' && 'Sign in again to go on.'}
        </Notice>
      )}
      <Field label="E-mail">
        <TextInput type="email" value={email} onValue={setEmail} autocomplete="username" required />
      </Field>
      <Field label="Password">
        <PasswordInput value={password} onValue={setPassword} autocomplete="current-password" required />
      </Field>
      <Button busy={byPasskey.isBusy} onClick={byPasskey.run}>
        Use a passkey
      </Button>
      <Problem of={byPasskey.error} />
    </AccountForm>
  );
};

export default SignIn;
