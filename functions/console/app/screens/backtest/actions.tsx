import type { GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useKeptFlag } from '../../ui/use-kept.ts';
import { useResource } from '../../ui/use-resource.ts';
import { Deploy } from './deploy.tsx';
import type { ExportProps } from './export-dialog.tsx';
import { FileDialog } from './file-dialog.tsx';

interface ActionsProps extends ExportProps {
  readonly backtest: GetBacktestOutput;
  readonly onFiled: () => void;
}

/** Loads the code of the files when one is asked for. */
const loadExport = async () => (await import('./export-dialog.tsx')).ExportChoices;

const Export = (props: ExportProps) => (
  <Loaded of={useResource(loadExport, [])}>{(ExportChoices) => <ExportChoices {...props} />}</Loaded>
);

/** Buttons of a backtest. */
export const Actions = ({ backtest, strategyName, onFiled }: ActionsProps) => {
  const [isFiling, setFiling] = useKeptFlag('file');
  const [isExporting, setExporting] = useKeptFlag('export');
  const { backtest_id: id } = backtest;
  const isDone = backtest.status === 'done';
  return (
    <>
      {isDone && <Deploy backtest={backtest} onFiled={onFiled} />}
      <LinkButton href={`#/backtests/new?backtest=${id}`}>Change and run again</LinkButton>
      {Object.keys(backtest.rules.params ?? {}).length > 0 && (
        <LinkButton href={`#/sweeps/new?backtest=${id}`}>Try other parameters</LinkButton>
      )}
      <Button onClick={() => setFiling(true)}>Name and file</Button>
      {isDone && <Button onClick={() => setExporting(true)}>Export</Button>}
      {isFiling && (
        <FileDialog
          backtest={backtest}
          onClose={() => setFiling(false)}
          onDone={() => {
            setFiling(false);
            onFiled();
          }}
        />
      )}
      <Dialog title="Export" open={isExporting} onClose={() => setExporting(false)}>
        <Export backtest={backtest} strategyName={strategyName} />
      </Dialog>
    </>
  );
};
