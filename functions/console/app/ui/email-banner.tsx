import { useState } from 'preact/hooks';
import { hub, ME } from '../hub.ts';
import { confirmEmail, user } from '../session.ts';
import { Button } from './button.tsx';
import { Field, TextInput } from './field.tsx';
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
          <TextInput
            value={code}
            onValue={(text) => setCode(text.replace(/\D/g, '').slice(0, 8))}
            autocomplete="one-time-code"
            inputMode="numeric"
            pattern="[0-9]{8}"
            required
          />
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
