import { useState } from 'preact/hooks';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { Field, PasswordInput } from '../../ui/field.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { MAX_PASSWORD, MIN_PASSWORD, PASSWORD_HINT } from '../../ui/password.ts';
import { fieldProblem } from '../../ui/problem-text.ts';
import { useAction } from '../../ui/use-action.ts';

/** Change of the password by somebody who knows it. */
export const Password = () => {
  const [password, setPassword] = useState('');
  const [next, setNext] = useState('');
  const [endsOthers, setEndsOthers] = useState(true);
  const [isDone, setDone] = useState(false);
  const change = useAction(async () => {
    setDone(false);
    await hub.changePassword({
      user_id: ME,
      body: { password, new_password: next, end_others: endsOthers },
    });
    setPassword('');
    setNext('');
    setDone(true);
  });
  const error = fieldProblem(change.error, 'new_password');
  return (
    <section class="card" aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      {isDone && <Notice kind="good">The password is changed.</Notice>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void change.run();
        }}
      >
        <Field label="Present password">
          <PasswordInput
            value={password}
            onValue={setPassword}
            autocomplete="current-password"
            maxLength={MAX_PASSWORD}
            required
          />
        </Field>
        <Field label="New password" hint={PASSWORD_HINT} error={error}>
          <PasswordInput
            value={next}
            onValue={setNext}
            autocomplete="new-password"
            minLength={MIN_PASSWORD}
            maxLength={MAX_PASSWORD}
            required
          />
        </Field>
        <label class="row">
          <input
            type="checkbox"
            checked={endsOthers}
            onChange={({ currentTarget }) => setEndsOthers(currentTarget.checked)}
          />
          Sign out everywhere else, and end the platform token and API keys
        </label>
        <Problem of={error ? undefined : change.error} />
        <Button submit kind="primary" busy={change.isBusy}>
          Change the password
        </Button>
        <p>
          No password yet, or forgotten? <a href="#/reset">Set one with a mailed code</a>.
        </p>
      </form>
    </section>
  );
};
