import type { TrackRecordOut } from '../../../../../../infra/client/package/src/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/notice.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { useAction } from '../../../ui/use-action.ts';
import { loadExport } from './load-record.ts';

/** Export of a record as a file, and the command that computes it again. */
export const VerifyRecord = ({ record }: { readonly record: TrackRecordOut }) => {
  const { record_id, record_hash, rules } = record;
  const file = `track-record-${record_id}.jsonl`;
  const download = useAction(async () => {
    saveFile(file, await loadExport(record), 'application/jsonl');
    return true;
  });
  if (record_hash === null) return null;
  return (
    <section class="stack">
      <h3>Verify it yourself</h3>
      <p>
        Download the record and compute it again on your own machine, without this service. With the source of
        the hub:
      </p>
      <p>
        <code>npm run verify-record -- {file}</code>
      </p>
      <p>
        It runs the rules over the bars of the file, day by day, and names the first day that differs. If
        nothing does, it prints this hash:
      </p>
      <p>
        <code>{record_hash}</code>
      </p>
      {rules === null && (
        <p class="muted">
          The rules are closed: bars and hashes can be verified, trades and equity once the rules are open.
        </p>
      )}
      <Problem of={download.error} />
      <div class="actions">
        <Button busy={download.isBusy} onClick={() => void download.run()}>
          Download the record
        </Button>
      </div>
    </section>
  );
};
