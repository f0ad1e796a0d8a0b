import { useEffect, useState } from 'preact/hooks';
import { HubApiError } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { navigate, type ScreenProps } from '../../router.ts';
import { noteEmail, user } from '../../session.ts';
import { AccountForm } from '../../ui/account-form.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeInput } from '../../ui/code-input.tsx';
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx';
import { When } from '../../ui/figures.tsx';
import { Notice } from '../../ui/notice.tsx';
import { fieldProblem } from '../../ui/problem-text.ts';
import { Screen } from '../../ui/screen.tsx';
import { useAction } from '../../ui/use-action.ts';

const TITLE = 'Change your e-mail';

const Back = () => <a href="#/settings?part=account">Back to the settings</a>;

interface CodeStepProps {
  readonly email: string;
  /** Code of the link that was opened. */
  readonly opened: string;
  readonly onOther: () => void;
  readonly onDone: (undoUntil: string | null) => void;
}

/** Second step: the code that was mailed to the new address. */
const CodeStep = ({ email, opened, onOther, onDone }: CodeStepProps) => {
  const [code, setCode] = useState(opened);
  const action = useAction(async () => {
    const done = await hub.confirmEmailChange({ user_id: ME, body: { email, code } });
    noteEmail(done.email);
    onDone(done.undo_until);
  });
  const error = fieldProblem(action.error, 'code');
  return (
    <AccountForm
      title={TITLE}
      submit="Change the e-mail"
      action={action}
      error={error ? undefined : action.error}
      more={<Back />}
    >
      <Notice>
        {opened === ''
          ? `A code of eight digits is on its way to ${email}. It is valid for 10 minutes. Look into the spam folder, too.`
          : `The link in your mail shows that ${email} is yours.`}
      </Notice>
      <Field label="Code from the mail" error={error}>
        <CodeInput value={code} onValue={setCode} digits={8} />
      </Field>
      <Button kind="quiet" onClick={onOther}>
        Use another address
      </Button>
    </AccountForm>
  );
};

/** First step for an e-mail that was confirmed: asks for the new one. */
const NewEmail = ({ onSent }: { readonly onSent: (email: string) => void }) => {
  const [email, setEmail] = useState('');
  const action = useAction(async () => {
    const to = email.trim();
    await hub.changeEmail({ user_id: ME, body: { email: to } });
    onSent(to);
  });
  const error = fieldProblem(action.error, 'email');
  return (
    <AccountForm
      title={TITLE}
      lead={`Now it is ${user.value?.email}. You get a code at the new address; nothing changes before you enter it.`}
      submit="Send the code"
      action={action}
      error={error ? undefined : action.error}
      more={<Back />}
    >
      <Field label="New e-mail" error={error}>
        <TextInput type="email" value={email} onValue={setEmail} autocomplete="email" required />
      </Field>
      <p>
        Both addresses are told. For 72 hours the present one can undo the change with a link, and you can
        neither change the e-mail again nor delete the account.
      </p>
    </AccountForm>
  );
};

interface CorrectionProps {
  readonly onDone: (email: string) => void;
  /** Called if the e-mail was confirmed before. */
  readonly onConfirmed: () => void;
}

/** Correction of an e-mail that was never confirmed. */
const Correction = ({ onDone, onConfirmed }: CorrectionProps) => {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const action = useAction(async () => {
    const to = email.trim();
    try {
      await hub.correctEmail({ user_id: ME, body: { email: to, password } });
    } catch (error) {
      if (!(error instanceof HubApiError && error.code === 'state_conflict')) throw error;
      onConfirmed();
      return;
    }
    noteEmail(to);
    onDone(to);
  });
  const error = fieldProblem(action.error, 'email');
  return (
    <AccountForm
      title="Correct your e-mail"
      lead={`You registered with ${user.value?.email}, which is not confirmed yet.`}
      submit="Correct the e-mail"
      action={action}
      error={error ? undefined : action.error}
      more={<Back />}
    >
      <Field label="Right e-mail" error={error}>
        <TextInput type="email" value={email} onValue={setEmail} autocomplete="email" required />
      </Field>
      <Field label="Password of your account">
        <PasswordInput value={password} onValue={setPassword} autocomplete="current-password" required />
      </Field>
    </AccountForm>
  );
};

type Step =
  | { readonly at: 'new' | 'correct' }
  | { readonly at: 'code'; readonly email: string; readonly opened: string }
  | { readonly at: 'changed'; readonly undoUntil: string | null }
  | { readonly at: 'corrected'; readonly email: string };

/** Change of the e-mail, also from the link in the mail to the new address. */
const Email = ({ query }: ScreenProps) => {
  const [step, setStep] = useState<Step>(() => {
    const [email, opened] = [query.get('email'), query.get('code')];
    if (email !== null && opened !== null) return { at: 'code', email, opened };
    return { at: user.peek()?.isEmailVerified === false ? 'correct' : 'new' };
  });
  // The code does not stay in the history of the browser.
  useEffect(() => navigate('/email', { replace: true }), []);
  switch (step.at) {
    case 'code':
      return (
        <CodeStep
          email={step.email}
          opened={step.opened}
          onOther={() => setStep({ at: 'new' })}
          onDone={(undoUntil) => setStep({ at: 'changed', undoUntil })}
        />
      );
    case 'changed':
      return (
        <Screen title={TITLE}>
          <Notice kind="good">
            Your e-mail is {user.value?.email} now. Sign in with it from now on.
            {step.undoUntil !== null && (
              <>
                {' '}
                The address before can undo this until <When at={step.undoUntil} />.
              </>
            )}
          </Notice>
          <Back />
        </Screen>
      );
    case 'corrected':
      return (
        <Screen title="Correct your e-mail">
          <Notice kind="good">
            Your e-mail is {step.email} now. A code is on its way to it: enter it above to confirm it.
          </Notice>
          <Back />
        </Screen>
      );
    case 'correct':
      return (
        <Correction
          onDone={(email) => setStep({ at: 'corrected', email })}
          onConfirmed={() => setStep({ at: 'new' })}
        />
      );
    default:
      return <NewEmail onSent={(email) => setStep({ at: 'code', email, opened: '' })} />;
  }
};

export default Email;
