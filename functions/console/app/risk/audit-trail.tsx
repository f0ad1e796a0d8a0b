import { useState } from 'preact/hooks';
import type { AuditEntry } from '../../../../infra/client/package/src/index.ts';
import { hub, ME } from '../hub.ts';
import { When } from '../ui/figures.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import type { Column } from '../ui/table/table-props.ts';
import { useResource } from '../ui/use-resource.ts';
import type { ReadPage } from '../ui/whole-list.ts';
import { actionWords, actorWords } from './words.ts';

const SIZE = 20;

const COLUMNS: readonly Column<AuditEntry>[] = [
  { head: 'When', cell: ({ at }) => <When at={at} seconds /> },
  { head: 'Action', cell: ({ action }) => actionWords(action), isHead: true },
  { head: 'By', cell: ({ by }) => actorWords(by) },
  { head: 'Reason', cell: ({ reason }) => <span class="wide-text">{reason}</span> },
];

const WITH_DEPLOYMENT: readonly Column<AuditEntry>[] = [
  ...COLUMNS,
  {
    head: 'Deployment',
    cell: ({ deployment_id: id }) => (id === null ? 'All' : <a href={`#/deployments/${id}`}>{id}</a>),
  },
];

interface AuditTrailProps {
  /** Deployment whose entries to show; all entries when undefined. */
  readonly deploymentId: number | undefined;
  /** Changes when the trail has to be read again. */
  readonly version?: number;
}

/** Actions on deployments, limits and switches, newest first. */
export const AuditTrail = ({ deploymentId, version = 0 }: AuditTrailProps) => {
  const [page, setPage] = useState(1);
  const read: ReadPage<AuditEntry> = (at, signal) =>
    hub.getAuditTrail({ user_id: ME, deployment_id: deploymentId, ...at }, { signal });
  const trail = useResource((signal) => read({ page, size: SIZE }, signal), [deploymentId, page, version], {
    on: ({ type }) => /^(deployment|risk|kill_switch)\./.test(type),
  });
  return (
    <section class="stack" aria-labelledby="audit">
      <h2 id="audit">Audit trail</h2>
      <p class="muted">Who paused, stopped, limited or resumed what, and why. Entries cannot be changed.</p>
      <PagedTable
        of={trail}
        read={read}
        caption="Audit trail"
        label="Pages of the audit trail"
        empty="Nothing yet. Pauses, stops, limits and the kill switch are listed here."
        columns={deploymentId === undefined ? WITH_DEPLOYMENT : COLUMNS}
        rowKey={({ audit_id: id }) => id}
        page={page}
        onPage={setPage}
      />
    </section>
  );
};
