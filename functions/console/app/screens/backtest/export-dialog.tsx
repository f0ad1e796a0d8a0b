import type { GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { equityCsv, fileNameOf, tradesCsv } from '../../backtests/export.ts';
import { loadTrades } from '../../backtests/load-trades.ts';
import { reportHtml } from '../../backtests/report/write.tsx';
import { format } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useAction } from '../../ui/use-action.ts';

export interface ExportProps {
  readonly backtest: GetBacktestOutput;
  readonly strategyName: string | undefined;
}

const CSV = 'text/csv;charset=utf-8';
/** Mark of UTF-8, without which spreadsheets take a file for one of an old code page. */
const MARK = '\ufeff';

/** Files of a backtest. */
export const ExportChoices = ({ backtest, strategyName }: ExportProps) => {
  const report = useAction(async () => {
    const trades = await loadTrades(backtest);
    saveFile(
      `${fileNameOf(backtest, 'report')}.html`,
      reportHtml({ backtest, trades, strategyName }),
      'text/html;charset=utf-8',
    );
  });
  const trades = useAction(async () =>
    saveFile(
      `${fileNameOf(backtest, 'trades')}.csv`,
      MARK + tradesCsv(await loadTrades(backtest, { most: Number.POSITIVE_INFINITY })),
      CSV,
    ),
  );
  const equity = (): void =>
    saveFile(`${fileNameOf(backtest, 'equity')}.csv`, MARK + equityCsv(backtest), CSV);
  return (
    <div class="stack">
      <p>The report is one file without scripts. It prints on two pages.</p>
      <div class="actions">
        <Button kind="primary" busy={report.isBusy} onClick={() => void report.run()}>
          Report (HTML)
        </Button>
        <Button busy={trades.isBusy} disabled={backtest.trades_count === 0} onClick={() => void trades.run()}>
          {format.count(backtest.trades_count)} trades (CSV)
        </Button>
        <Button onClick={equity}>Equity (CSV)</Button>
      </div>
      <Problem of={report.error ?? trades.error} />
    </div>
  );
};
