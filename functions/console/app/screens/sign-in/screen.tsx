import { useState } from 'preact/hooks';
import { inPage, navigate, type ScreenProps } from '../../router.ts';
import { signIn } from '../../session.ts';
import { AccountForm } from '../../ui/account-form.tsx';
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx';
import { useAction } from '../../ui/use-action.ts';

const SignIn = ({ query }: ScreenProps) => {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const to = query.get('to') ?? '/';
  const action = useAction(async () => {
    await signIn(email.trim(), password);
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
      <Field label="E-mail">
        <TextInput type="email" value={email} onValue={setEmail} autocomplete="username" required />
      </Field>
      <Field label="Password">
        <PasswordInput value={password} onValue={setPassword} autocomplete="current-password" required />
      </Field>
    </AccountForm>
  );
};

export default SignIn;
