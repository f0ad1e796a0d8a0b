import type { UserBroker } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Confirm, useConfirmed } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Tag } from '../../ui/notice.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { profileOf } from './profile.ts';

/** Brokers that the user is linked to. */
export const LinkedBrokers = () => {
  const profile = useResource(async (signal) => profileOf(await hub.verifyUser({}, { signal })), []);
  const leave = useConfirmed(async ({ broker_domain: domain }: UserBroker) => {
    // The partner that signs in by consent has no domain.
    await (domain === null
      ? hub.partnercDisconnect({ user_id: ME })
      : hub.unlinkBroker({ broker_domain: domain }));
    profile.reload();
  });
  return (
    <section class="card" aria-labelledby="brokers-title">
      <h2 id="brokers-title">Brokers you are linked to</h2>
      <Loaded
        of={profile}
        empty={({ brokers }) =>
          brokers.length === 0 && (
            <p>No broker is linked. A broker links your account when you sign in from its own site.</p>
          )
        }
      >
        {({ brokers }) => (
          <DataTable
            caption="Linked brokers"
            rows={brokers}
            rowKey={({ broker_id: id }) => id}
            columns={[
              { head: 'Broker', isHead: true, cell: ({ name }) => name },
              { head: 'Account', cell: ({ account_id: id }) => id ?? '–' },
              {
                head: 'State',
                cell: ({ connected }) =>
                  connected ? <Tag kind="good">Connected</Tag> : <Tag kind="warn">Not connected</Tag>,
              },
              {
                head: <span class="unseen">Actions</span>,
                cell: (broker) => (
                  <Button aria-label={`Unlink ${broker.name}`} onClick={() => leave.ask(broker)}>
                    Unlink…
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <Confirm title={`Unlink ${leave.asked?.name ?? 'the broker'}?`} action="Unlink" {...leave.dialog}>
        <p>
          The broker can no longer sign you in or see your data here.
          {leave.asked?.broker_domain !== null &&
            ' All your other sessions and the platform token end, as the broker may have opened them.'}
        </p>
      </Confirm>
    </section>
  );
};
