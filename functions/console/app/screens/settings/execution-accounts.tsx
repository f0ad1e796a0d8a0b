import { useState } from 'preact/hooks';
import type { ExecutionConnection } from '../../../../../infra/client/package/src/index.ts';
import { ADAPTERS, type AdapterName } from '../../../../../shared/domain/deployments/event-source.ts';
import { ADAPTER_FACTS } from '../../../../../shared/domain/orders/execution-adapters.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Confirm, Dialog, useConfirmed } from '../../ui/dialog.tsx';
import { Field, PasswordInput, Select, TextInput } from '../../ui/field.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice, Problem, Tag } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';

const ENVIRONMENTS = [
  { value: 'paper', label: 'Paper money' },
  { value: 'live', label: 'Real money' },
] as const;

type Environment = (typeof ENVIRONMENTS)[number]['value'];

const BROKERS = ADAPTERS.map((value) => ({ value, label: ADAPTER_FACTS[value].title }));

/** Returns the name of the broker of an account. Another version may know more of them. */
const brokerOf = ({ adapter }: Pick<ExecutionConnection, 'adapter'>): string =>
  BROKERS.find(({ value }) => value === adapter)?.label ?? adapter;

const isEmptyList = ({ connections }: { readonly connections: readonly unknown[] }): boolean =>
  connections.length === 0;

const ConnectForm = ({ onDone }: { readonly onDone: () => void }) => {
  const [adapter, setAdapter] = useState<AdapterName>('alpaca');
  const [environment, setEnvironment] = useState<Environment>('paper');
  const [keyId, setKeyId] = useState('');
  const [secret, setSecret] = useState('');
  const connect = useAction(async () => {
    await hub.connectExecution({
      user_id: ME,
      body: { adapter, environment, key_id: keyId.trim(), secret: secret.trim() },
    });
    setSecret('');
    onDone();
  });
  const { title, keysHint } = ADAPTER_FACTS[adapter];
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void connect.run();
      }}
    >
      <p>
        The keys are checked at {title} now and stored encrypted. Nobody can read them here afterwards. You
        are notified by all channels.
      </p>
      <Field label="Broker" hint={keysHint}>
        <Select value={adapter} options={BROKERS} onValue={setAdapter} />
      </Field>
      <Field label="Money" hint={`${title} has separate keys for each.`}>
        <Select value={environment} options={ENVIRONMENTS} onValue={setEnvironment} />
      </Field>
      {environment === 'live' && (
        <Notice kind="warn">Deployments on this account place real orders with your money.</Notice>
      )}
      <Field label="Key ID">
        <TextInput value={keyId} onValue={setKeyId} required spellcheck={false} autocomplete="off" />
      </Field>
      <Field label="Secret key">
        <PasswordInput value={secret} onValue={setSecret} required autocomplete="off" />
      </Field>
      <Problem of={connect.error} />
      <div class="actions dialog-actions">
        <Button submit kind="primary" busy={connect.isBusy}>
          Connect
        </Button>
      </div>
    </form>
  );
};

/** Accounts for real orders. */
export const ExecutionAccounts = () => {
  const [isConnecting, setConnecting] = useState(false);
  const accounts = useResource((signal) => hub.getExecutionConnections({ user_id: ME }, { signal }), []);
  const leave = useConfirmed(async ({ account_id }: ExecutionConnection) => {
    await hub.disconnectExecution({ user_id: ME, account_id });
    accounts.reload();
  });
  return (
    <section class="card" aria-labelledby="accounts-title">
      <h2 id="accounts-title">Accounts for real orders</h2>
      <Loaded
        of={accounts}
        empty={(list) =>
          isEmptyList(list) && (
            <p>No account is connected. Strategies trade on paper until you connect one with its keys.</p>
          )
        }
      >
        {({ connections }) => (
          <DataTable
            caption="Connected accounts"
            rows={connections}
            rowKey={({ account_id: id }) => id}
            columns={[
              { head: 'Account', isHead: true, cell: ({ account_id: id }) => id },
              { head: 'Broker', cell: brokerOf },
              {
                head: 'Money',
                cell: ({ environment, currency }) => (
                  <>
                    {environment === 'live' ? <Tag kind="warn">Real</Tag> : <Tag>Paper</Tag>} {currency}
                  </>
                ),
              },
              {
                head: 'State',
                cell: ({ status, status_at: at }) =>
                  status === 'connected' ? (
                    <Tag kind="good">Connected</Tag>
                  ) : (
                    <>
                      <Tag kind="bad">Keys refused</Tag> since <When at={at} />. Connect it again with new
                      keys.
                    </>
                  ),
              },
              { head: 'Since', cell: ({ connected_at: at }) => <When at={at} /> },
              {
                head: 'Actions',
                isCommands: true,
                cell: (account) => (
                  <Button aria-label={`Disconnect ${account.account_id}`} onClick={() => leave.ask(account)}>
                    Disconnect…
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <div class="actions">
        <Button onClick={() => setConnecting(true)}>Connect an account…</Button>
      </div>
      <Dialog title="Connect an account" open={isConnecting} onClose={() => setConnecting(false)}>
        <ConnectForm
          onDone={() => {
            setConnecting(false);
            accounts.reload();
          }}
        />
      </Dialog>
      <Confirm
        title={`Disconnect ${leave.asked?.account_id ?? 'the account'}?`}
        action="Disconnect"
        {...leave.dialog}
      >
        <p>
          The keys are removed here: delete them at the broker, too. It is refused while real deployments use
          the account. Positions at the broker stay as they are.
        </p>
      </Confirm>
    </section>
  );
};
