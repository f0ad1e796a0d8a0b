import { useState } from 'preact/hooks';
import type { SecurityEvent } from '../../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../../hub.ts';
import { Count, When } from '../../ui/figures.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { useResource } from '../../ui/use-resource.ts';
import type { ReadPage } from '../../ui/whole-list.ts';
import { securityText } from './texts.ts';

const SIZE = 20;

const read: ReadPage<SecurityEvent> = (at, signal) =>
  hub.getSecurityEvents({ user_id: ME, ...at }, { signal });

/** Lists events of the access to the account. */
export const SecurityEvents = () => {
  const [page, setPage] = useState(1);
  const events = useResource((signal) => read({ page, size: SIZE }, signal), [page]);
  return (
    <section class="card" aria-labelledby="security-title">
      <h2 id="security-title">What happened to your account</h2>
      <PagedTable
        of={events}
        read={read}
        caption="Security events"
        label="Security events"
        empty={<p>Nothing yet.</p>}
        page={page}
        onPage={setPage}
        rowKey={({ kind, first_at: at, device, place }) => `${kind} ${at} ${device} ${place}`}
        columns={[
          { head: 'What', isHead: true, cell: securityText },
          { head: 'How often', isNumber: true, cell: ({ count }) => <Count value={count} /> },
          { head: 'Last', cell: ({ last_at: at }) => <When at={at} /> },
          { head: 'Device', cell: ({ device }) => device ?? '–' },
          { head: 'Network', cell: ({ place }) => place ?? '–' },
        ]}
      />
    </section>
  );
};
