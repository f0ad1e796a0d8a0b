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
  const join = useConfirmed(async ({ broker_domain: domain }: UserBroker) => {
    if (domain !== null) await hub.confirmBroker({ user_id: ME, broker_domain: domain });
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
                cell: ({ connected, pending }) =>
                  !connected ? (
                    <Tag kind="warn">Not connected</Tag>
                  ) : pending ? (
                    <Tag kind="warn">Waits for you</Tag>
                  ) : (
                    <Tag kind="good">Connected</Tag>
                  ),
              },
              {
                head: 'Actions',
                isCommands: true,
                cell: (broker) => (
                  <>
                    {broker.pending && (
                      <Button aria-label={`Confirm ${broker.name}`} onClick={() => join.ask(broker)}>
                        Confirm…
                      </Button>
                    )}
                    <Button aria-label={`Unlink ${broker.name}`} onClick={() => leave.ask(broker)}>
                      Unlink…
                    </Button>
                  </>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <Confirm
        title={`Let ${join.asked?.name ?? 'the broker'} see your account?`}
        action="Confirm"
        {...join.dialog}
      >
        <p>
          Your registration named this broker. Once you confirm it, the broker sees your strategies,
          deployments and trades here, until you unlink it.
        </p>
      </Confirm>
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
