import { hub, ME } from '../../hub.ts';
import { pushKeyHere } from '../../push.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Problem, Tag } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';
import { PushHere } from './push-here.tsx';
import { isSameBrowser } from './push-texts.ts';
import { pushName } from './texts.ts';

/** Devices that get push messages, and the switch of this browser. */
export const PushDevices = () => {
  const devices = useResource(async (signal) => {
    const [listed, here] = await Promise.all([
      hub.getPushTokenWeb({ user_id: ME }, { signal }),
      pushKeyHere(),
    ]);
    return { ...listed, here };
  }, []);
  const remove = useAction(async (key: string) => {
    await hub.removePushToken({ user_id: ME, body: { push_key: key } });
    devices.reload();
  });
  return (
    <section class="card" aria-labelledby="push-title">
      <h2 id="push-title">Push messages</h2>
      <Problem of={remove.error} />
      <Loaded of={devices}>
        {({ registrations, here, vapid_public_key: vapidPublicKey }) => (
          <>
            <PushHere
              registered={registrations.find(({ push_key: key }) => isSameBrowser(key, here))?.push_key}
              vapidPublicKey={vapidPublicKey}
              onChanged={devices.reload}
            />
            {registrations.length === 0 ? (
              <p>
                No device gets push messages yet. A mobile app registers its device when you sign in there.
              </p>
            ) : (
              <>
                <DataTable
                  caption="Devices that get push messages"
                  rows={registrations}
                  rowKey={({ push_key: key }) => key}
                  columns={[
                    {
                      head: 'Device',
                      isHead: true,
                      cell: ({ kind, push_key: key }) => (
                        <>
                          {pushName(kind)} {isSameBrowser(key, here) && <Tag kind="good">This one</Tag>}
                        </>
                      ),
                    },
                    { head: 'Registered', cell: ({ registered_at: at }) => <When at={at} /> },
                    { head: 'Last seen', cell: ({ last_seen_at: at }) => <When at={at} /> },
                    {
                      head: 'Actions',
                      isCommands: true,
                      cell: ({ kind, push_key: key }) =>
                        !isSameBrowser(key, here) && (
                          <Button
                            aria-label={`Remove ${pushName(kind)}`}
                            disabled={remove.isBusy}
                            onClick={() => remove.run(key)}
                          >
                            Remove
                          </Button>
                        ),
                    },
                  ]}
                />
                <p>A new password removes them all. Apps register again at the next sign-in.</p>
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
};
