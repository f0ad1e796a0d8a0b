import { hub, ME } from '../../hub.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { pushName } from './texts.ts';

/** Devices that get push messages. */
export const PushDevices = () => {
  const devices = useResource((signal) => hub.getPushTokenWeb({ user_id: ME }, { signal }), []);
  return (
    <section class="card" aria-labelledby="push-title">
      <h2 id="push-title">Devices that get push messages</h2>
      <Loaded
        of={devices}
        empty={({ registrations }) =>
          registrations.length === 0 && (
            <p>No device gets push messages. The mobile app registers its device when you sign in there.</p>
          )
        }
      >
        {({ registrations }) => (
          <>
            <DataTable
              caption="Devices"
              rows={registrations}
              rowKey={({ push_key: key }) => key}
              columns={[
                { head: 'Device', isHead: true, cell: ({ kind }) => pushName(kind) },
                { head: 'Registered', cell: ({ registered_at: at }) => <When at={at} /> },
                { head: 'Last seen', cell: ({ last_seen_at: at }) => <When at={at} /> },
              ]}
            />
            <p>A new password removes them all. Apps register again at the next sign-in.</p>
          </>
        )}
      </Loaded>
    </section>
  );
};
