import { useState } from 'preact/hooks';
import type { ApiKey } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { HUB_OPTIONS } from '../../public-hub.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Confirm, Dialog, useConfirmed } from '../../ui/dialog.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useKeptFlag } from '../../ui/use-kept.ts';
import { useResource } from '../../ui/use-resource.ts';
import { ApiKeyForm } from './api-key-form.tsx';
import { scopesText } from './api-key-model.ts';
import { Secret } from './secret.tsx';

const MAX_KEYS = 20;

/** Address at which assistants connect. */
const ASSISTANTS = `${HUB_OPTIONS.baseUrl}/mcp`;

/** API keys of the user's programs, and apps that the user has connected. */
export const ApiKeys = () => {
  const [isMaking, setMaking] = useKeptFlag('new API key');
  const [made, setMade] = useState<string>();
  const keys = useResource((signal) => hub.getApiKeys({ user_id: ME }, { signal }), []);
  const revoke = useConfirmed(async ({ api_key_id }: ApiKey) => {
    await hub.revokeApiKey({ user_id: ME, api_key_id });
    keys.reload();
  });
  const count = keys.value?.api_keys.length ?? 0;
  return (
    <section class="card" aria-labelledby="api-keys-title">
      <h2 id="api-keys-title">API keys and connected apps</h2>
      <p>
        A key lets one program use the <a href="docs">API</a> as you, for what you choose. No key starts real
        trading or changes your account. Apps such as assistants that you have connected are listed here, too.
      </p>
      <p>
        Connect an assistant with the address <code>{ASSISTANTS}</code>. It asks you here for what it may do,
        or uses a key.
      </p>
      {made !== undefined && (
        <Secret label="Your new API key" value={made} onHide={() => setMade(undefined)} />
      )}
      <Loaded
        of={keys}
        empty={({ api_keys: all }) =>
          all.length === 0 && <p>There is no API key and no connected app yet.</p>
        }
      >
        {({ api_keys: all }) => (
          <DataTable
            caption="API keys and connected apps"
            rows={all}
            rowKey={({ api_key_id: id }) => id}
            columns={[
              { head: 'Name', isHead: true, cell: ({ name }) => name },
              {
                head: 'Kind',
                cell: ({ kind, host }) =>
                  kind === 'key' ? 'API key' : `App, vouched for by ${host ?? 'nobody'}`,
              },
              { head: 'May', cell: scopesText },
              { head: 'From', cell: ({ addresses }) => addresses?.join(', ') ?? 'Everywhere' },
              {
                head: 'Last used',
                cell: ({ last_used_at: at }) => (at === null ? 'Never' : <When at={at} />),
              },
              { head: 'Ends', cell: ({ expires_at: at }) => <When at={at} /> },
              {
                head: 'Actions',
                isCommands: true,
                cell: (key) => (
                  <Button aria-label={`Revoke ${key.name}…`} onClick={() => revoke.ask(key)}>
                    Revoke…
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {count >= MAX_KEYS && <Notice>These are as many as possible. Revoke one to make another.</Notice>}
      <div class="actions">
        <Button disabled={count >= MAX_KEYS} onClick={() => setMaking(true)}>
          Make a key…
        </Button>
      </div>
      <Dialog
        title="Make an API key"
        open={isMaking}
        onClose={() => {
          setMaking(false);
          // It may have been made even if there was no answer.
          keys.reload();
        }}
      >
        <ApiKeyForm
          onDone={(key) => {
            setMaking(false);
            setMade(key);
            keys.reload();
          }}
        />
      </Dialog>
      <Confirm title={`Revoke ${revoke.asked?.name ?? 'the key'}?`} action="Revoke" {...revoke.dialog}>
        <p>The key ends at once. What its program has made goes on.</p>
      </Confirm>
    </section>
  );
};
