import { useState } from 'preact/hooks';
import { hub, ME } from '../../../hub.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeInput } from '../../../ui/code-input.tsx';
import { Confirm, useConfirmed } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { When } from '../../../ui/figures.tsx';
import { Problem } from '../../../ui/notice.tsx';
import { fieldProblem } from '../../../ui/problem-text.ts';
import { useAction } from '../../../ui/use-action.ts';
import type { FactorsProps } from './factors-props.ts';
import { QrCode } from './qr-code.tsx';

interface NewTotpProps {
  readonly secret: string;
  readonly uri: string;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Shows the secret of an app that is being added, and takes its first code. */
const NewTotp = ({ secret, uri, onDone, onCancel }: NewTotpProps) => {
  const [code, setCode] = useState('');
  const confirm = useAction(async () => {
    await hub.confirmTotp({ user_id: ME, body: { totp: code } });
    onDone();
  });
  const error = fieldProblem(confirm.error, 'totp');
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void confirm.run();
      }}
    >
      <p>Scan this with the app, then enter the code that it shows.</p>
      <QrCode text={uri} label="Secret for the authenticator app. It is below as text, too." />
      <p>
        No camera? Open it <a href={uri}>in an app of this device</a>, or type this:{' '}
        <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <Field label="Code of the app" error={error}>
        <CodeInput value={code} onValue={setCode} digits={6} />
      </Field>
      <Problem of={error ? undefined : confirm.error} />
      <div class="actions">
        <Button submit kind="primary" busy={confirm.isBusy}>
          Add the app
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
};

/** Authenticator app of the user. */
export const Totp = ({ factors, onChange }: FactorsProps) => {
  const [made, setMade] = useState<{ readonly secret: string; readonly uri: string }>();
  const { totp_added_at: since, passkeys } = factors;
  const begin = useAction(async () => {
    const { secret, uri } = await hub.addTotp({ user_id: ME });
    setMade({ secret, uri });
  });
  const remove = useConfirmed(async (_: true) => {
    await hub.removeTotp({ user_id: ME });
    onChange();
  });
  return (
    <section class="card" aria-labelledby="totp-title">
      <h2 id="totp-title">Authenticator app</h2>
      <p>
        An app on your phone shows a new code every 30 seconds. A page that imitates this one can ask for it,
        too: a passkey is safer.
      </p>
      {since !== null && (
        <p>
          An app was added <When at={since} />.
        </p>
      )}
      {made ? (
        <NewTotp
          {...made}
          onCancel={() => setMade(undefined)}
          onDone={() => {
            setMade(undefined);
            onChange();
          }}
        />
      ) : (
        <div class="actions">
          <Button kind={since === null ? 'primary' : 'plain'} busy={begin.isBusy} onClick={begin.run}>
            {since === null ? 'Add an authenticator app' : 'Use another app'}
          </Button>
          {since !== null && <Button onClick={() => remove.ask(true)}>Remove the app…</Button>}
        </div>
      )}
      <Problem of={begin.error} />
      <Confirm title="Remove the authenticator app?" action="Remove" {...remove.dialog}>
        <p>
          Its codes no longer count.
          {passkeys.length === 0 && ' It is your only second factor: your recovery codes end with it.'}
        </p>
      </Confirm>
    </section>
  );
};
