import { useState } from 'preact/hooks';
import { HubApiError } from '../../../../../infra/client/package/src/index.ts';
import { inPage, navigate, type ScreenProps } from '../../router.ts';
import { register } from '../../session.ts';
import { AccountForm } from '../../ui/account-form.tsx';
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MAX_PASSWORD, MIN_PASSWORD, PASSWORD_HINT } from '../../ui/password.ts';
import { fieldProblem } from '../../ui/problem-text.ts';
import { useAction } from '../../ui/use-action.ts';

/** Refusals of an e-mail that can have an account. The words do not say whether it has one, which strangers could ask. */
const REFUSALS: ReadonlySet<unknown> = new Set(['credentials_invalid', 'email_taken']);

const FIELDS = ['name', 'email', 'password'] as const;

const Register = ({ query }: ScreenProps) => {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    await register({ email: email.trim(), password, ...(name.trim() !== '' && { name: name.trim() }) });
    navigate(inPage(query.get('to') ?? '/'), { replace: true });
  });
  const errors = Object.fromEntries(FIELDS.map((field) => [field, fieldProblem(action.error, field)]));
  const isAtField = FIELDS.some((field) => errors[field] !== undefined);
  const isRefused = action.error instanceof HubApiError && REFUSALS.has(action.error.code);
  return (
    <AccountForm
      title="Create an account"
      lead="You can build strategies, test them on past prices and run them on paper, without real money."
      submit="Create the account"
      action={action}
      error={isAtField || isRefused ? undefined : action.error}
      more={
        <>
          <a href="#/sign-in">I have an account</a>
          <a href="#/reset">Forgot the password?</a>
        </>
      }
    >
      <Field label="Name" hint="Shown to others with strategies that you publish." error={errors.name}>
        <TextInput value={name} onValue={setName} autocomplete="name" maxLength={100} />
      </Field>
      <Field label="E-mail" error={errors.email}>
        <TextInput type="email" value={email} onValue={setEmail} autocomplete="username" required />
      </Field>
      <Field label="Password" hint={PASSWORD_HINT} error={errors.password}>
        <PasswordInput
          value={password}
          onValue={setPassword}
          autocomplete="new-password"
          minLength={MIN_PASSWORD}
          maxLength={MAX_PASSWORD}
          required
        />
      </Field>
      {isRefused && (
        <Notice kind="bad" isNew>
          No account was created with this e-mail and password. If you have an account already,{' '}
          <a href="#/sign-in">sign in</a> or <a href="#/reset">reset the password</a>. Otherwise use another
          e-mail.
        </Notice>
      )}
    </AccountForm>
  );
};

export default Register;
