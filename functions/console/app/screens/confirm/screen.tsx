import { useEffect, useState } from 'preact/hooks';
import { publicHub } from '../../public-hub.ts';
import { navigate, type ScreenProps } from '../../router.ts';
import { signIn } from '../../session.ts';
import { AccountForm } from '../../ui/account-form.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, PasswordInput } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MAX_PASSWORD, MIN_PASSWORD, PASSWORD_HINT } from '../../ui/password.ts';
import { fieldProblem } from '../../ui/problem-text.ts';
import { Screen } from '../../ui/screen.tsx';
import { useAction } from '../../ui/use-action.ts';

const TITLE = 'Confirm your e-mail';

const More = () => <a href="#/sign-in">Go to the sign-in</a>;

/** Page of the link in the mail of a registration: confirms the e-mail with the password of the account or a new one. */
const Confirm = ({ query }: ScreenProps) => {
  const [link] = useState({ email: query.get('email') ?? '', token: query.get('token') ?? '' });
  const [isOwn, setOwn] = useState(true);
  const [password, setPassword] = useState('');
  // The token opens the account, so it does not stay in the history of the browser.
  useEffect(() => navigate('/confirm', { replace: true }), []);
  const action = useAction(async () => {
    const body = isOwn ? { ...link, password } : { ...link, new_password: password };
    await publicHub.confirmEmailLink({ body });
    await signIn(link.email, password);
    navigate('/', { replace: true });
  });
  if (link.email === '' || link.token === '') {
    return (
      <Screen title={TITLE}>
        <Notice kind="warn">
          The link is not complete. Open it again from the mail, or <More />.
        </Notice>
      </Screen>
    );
  }
  const error = fieldProblem(action.error, isOwn ? 'password' : 'new_password');
  return (
    <AccountForm
      title={TITLE}
      lead={`The link in your mail shows that ${link.email} is yours.`}
      submit={isOwn ? 'Confirm and sign in' : 'Take the account over and sign in'}
      action={action}
      error={error ? undefined : action.error}
      more={<More />}
    >
      {!isOwn && (
        <Notice kind="warn">
          Did somebody else register your address? A new password makes the account yours. All sign-ins,
          devices, deployments and keys that were made in it before end.
        </Notice>
      )}
      <Field
        label={isOwn ? 'Password of the account' : 'New password'}
        {...(!isOwn && { hint: PASSWORD_HINT })}
        error={error}
      >
        <PasswordInput
          value={password}
          onValue={setPassword}
          autocomplete={isOwn ? 'current-password' : 'new-password'}
          {...(!isOwn && { minLength: MIN_PASSWORD })}
          maxLength={MAX_PASSWORD}
          required
        />
      </Field>
      <Button kind="quiet" onClick={() => setOwn(!isOwn)}>
        {isOwn ? 'I do not know the password' : 'I know the password'}
      </Button>
    </AccountForm>
  );
};

export default Confirm;
