import { useState } from 'preact/hooks';
import { hub, ME } from '../../../hub.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Confirm, useConfirmed } from '../../../ui/dialog.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { When } from '../../../ui/figures.tsx';
import { Problem, Tag } from '../../../ui/notice.tsx';
import { fieldProblem } from '../../../ui/problem-text.ts';
import { useAction } from '../../../ui/use-action.ts';
import type { FactorsProps } from './factors-props.ts';

const MAX_NAME = 60;

/** Form that adds a passkey of this device. */
const AddPasskey = ({ onChange }: Pick<FactorsProps, 'onChange'>) => {
  const [name, setName] = useState('');
  const add = useAction(async () => {
    const { makePasskey } = await import('../../../passkeys.ts');
    const { options } = await hub.passkeyOptions({ body: { for: 'register' } });
    const passkey = await makePasskey(options);
    await hub.addPasskey({
      user_id: ME,
      body: { passkey, ...(name.trim() !== '' && { name: name.trim() }) },
    });
    setName('');
    onChange();
  });
  const error = fieldProblem(add.error, 'name');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add.run();
      }}
    >
      <Field label="Name of the passkey" hint="Such as the device that it is on." error={error}>
        <TextInput value={name} onValue={setName} maxLength={MAX_NAME} autocomplete="off" />
      </Field>
      <Problem of={error ? undefined : add.error} />
      <Button submit kind="primary" busy={add.isBusy}>
        Add a passkey
      </Button>
    </form>
  );
};

/** Passkeys of the user. */
export const Passkeys = ({ factors, onChange }: FactorsProps) => {
  const { passkeys } = factors;
  const remove = useConfirmed(async ({ passkey_id }: (typeof passkeys)[number]) => {
    await hub.removePasskey({ user_id: ME, body: { passkey_id } });
    onChange();
  });
  return (
    <section class="card" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">Passkeys</h2>
      <p>
        A passkey is kept by your device or a security key, and opened by your fingerprint, face or PIN. It
        also signs you in without a password.
      </p>
      {passkeys.length > 0 && (
        <DataTable
          caption="Passkeys"
          rows={passkeys}
          rowKey={({ passkey_id: id }) => id}
          columns={[
            {
              head: 'Name',
              isHead: true,
              cell: ({ name, backed_up: isSynced }) => (
                <>
                  {name} {isSynced && <Tag>Synchronized</Tag>}
                </>
              ),
            },
            { head: 'Added', cell: ({ added_at: at }) => <When at={at} /> },
            { head: 'Last used', cell: ({ used_at: at }) => (at === null ? 'Never' : <When at={at} />) },
            {
              head: 'Actions',
              isCommands: true,
              cell: (passkey) => (
                <Button aria-label={`Remove ${passkey.name}`} onClick={() => remove.ask(passkey)}>
                  Remove…
                </Button>
              ),
            },
          ]}
        />
      )}
      <AddPasskey onChange={onChange} />
      <Confirm title={`Remove ${remove.asked?.name ?? ''}?`} action="Remove" {...remove.dialog}>
        <p>
          It no longer signs you in. Delete it on the device, too.
          {passkeys.length === 1 &&
            factors.totp_added_at === null &&
            ' It is your only second factor: your recovery codes end with it.'}
        </p>
      </Confirm>
    </section>
  );
};
