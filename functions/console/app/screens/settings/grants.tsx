import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Confirm, useConfirmed } from '../../ui/dialog.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { grantText } from './texts.ts';

/** Lists what acts for the user without a session, also after a new password, with the button that ends it. */
export const Grants = () => {
  const grants = useResource((signal) => hub.getGrants({ user_id: ME }, { signal }), []);
  const endAll = useConfirmed(async (_all: true) => {
    await hub.endGrants({ user_id: ME });
    grants.reload();
  });
  return (
    <section class="card" aria-labelledby="grants-title">
      <h2 id="grants-title">What goes on without you</h2>
      <Loaded
        of={grants}
        empty={({ grants: all }) =>
          all.length === 0 && <p>No key, webhook, connection, broker or deployment acts for you.</p>
        }
      >
        {({ grants: all }) => (
          <>
            <p>It goes on after you sign out, and after a new password.</p>
            <DataTable
              caption="What acts for you"
              rows={all}
              rowKey={({ kind, id }) => `${kind} ${id}`}
              columns={[
                { head: 'What', isHead: true, cell: ({ kind }) => grantText(kind) },
                { head: 'Name', cell: ({ name }) => name || '–' },
                { head: 'Since', cell: ({ since }) => <When at={since} /> },
              ]}
            />
            <div class="actions">
              <Button onClick={() => endAll.ask(true)}>End all of it…</Button>
            </div>
          </>
        )}
      </Loaded>
      <Confirm title="End all that acts for you?" action="End all" {...endAll.dialog}>
        <p>
          API keys, webhooks, addresses for signals, brokers and the platform token end at once. Deployments
          stop and connections end after them. Open positions stay open at your broker.
        </p>
      </Confirm>
    </section>
  );
};
