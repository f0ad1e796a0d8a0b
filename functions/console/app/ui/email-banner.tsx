import { useState } from 'preact/hooks';
import { hub, ME } from '../hub.ts';
import { confirmEmail, user } from '../session.ts';
import { Button } from './button.tsx';
import { CodeInput } from './code-input.tsx';
import { Field } from './field.tsx';
import { Problem } from './notice.tsx';
import { fieldProblem } from './problem-text.ts';
import { useAction } from './use-action.ts';

/** Line below the header until the user confirms the e-mail, with the entry of the mailed code. */
export const EmailBanner = () => {
  const [code, setCode] = useState('');
  const [sent, setSent] = useState('');
  const confirm = useAction(() => confirmEmail(code));
  const again = useAction(async () => {
    const { email_verified, sent_to } = await hub.sendEmailConfirmation({ user_id: ME });
    if (email_verified) await confirmEmail('');
    else setSent(`A mail is on its way to ${sent_to}.`);
  });
  return (
    <form
      class="banner banner-plain"
      onSubmit={(event) => {
        event.preventDefault();
        void confirm.run();
      }}
    >
      <p>
        <strong>Confirm your e-mail.</strong> Until then you build and trade on paper, but publish nothing and
        connect nothing. A code was mailed to {user.value?.email}. <a href="#/email">Not your address?</a>
      </p>
      <div class="row">
        <Field label="Code from the mail" error={fieldProblem(confirm.error, 'code')}>
          <CodeInput value={code} onValue={setCode} digits={8} />
        </Field>
        <Button submit kind="primary" busy={confirm.isBusy}>
          Confirm
        </Button>
        <Button kind="quiet" busy={again.isBusy} onClick={again.run}>
          Send it again
        </Button>
      </div>
      <p role="status">{sent}</p>
      <Problem of={confirm.error ?? again.error} />
    </form>
  );
};
