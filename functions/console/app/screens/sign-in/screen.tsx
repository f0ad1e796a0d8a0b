import { useState } from 'preact/hooks';
import { navigate, type ScreenProps } from '../../router.ts';
import { signIn } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useAction } from '../../ui/use-action.ts';

const SignIn = ({ query }: ScreenProps) => {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    await signIn(email, password);
    const to = query.get('to') ?? '/';
    navigate(to.startsWith('/') ? `/${to.slice(1)}` : '/', { replace: true });
  });
  return (
    <Screen title="Sign in">
      <form
        class="card form"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run();
        }}
      >
        <Field label="E-mail">
          <TextInput type="email" value={email} onValue={setEmail} autocomplete="username" required />
        </Field>
        <Field label="Password">
          <PasswordInput value={password} onValue={setPassword} autocomplete="current-password" required />
        </Field>
        <Problem of={action.error} />
        <Button submit kind="primary" busy={action.isBusy}>
          Sign in
        </Button>
      </form>
    </Screen>
  );
};

export default SignIn;
