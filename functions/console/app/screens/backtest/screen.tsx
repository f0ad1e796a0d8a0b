import { useEffect, useState } from 'preact/hooks';
import type { GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { OwnCandlesNote } from '../../backtests/own-candles-note.tsx';
import { Progress } from '../../backtests/progress.tsx';
import { titleOf } from '../../backtests/title.ts';
import { Warnings } from '../../backtests/warnings.tsx';
import { EquityChart } from '../../charts/equity-chart.tsx';
import { hub, ME } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { StrategyName, useStrategyNames } from '../../strategies/strategy-name.tsx';
import { barsText } from '../../strategies/texts.ts';
import { askable, idOf, isMissing } from '../../ui/ids.ts';
import { LatePart } from '../../ui/late.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Missing } from '../../ui/missing.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useResource } from '../../ui/use-resource.ts';
import { Actions } from './actions.tsx';
import { Figures } from './figures.tsx';
import { OpenTrades } from './open-trades.tsx';
import { Setup } from './setup.tsx';
import { Trades } from './trades.tsx';

const loadMonths = async () => (await import('../../charts/month-heatmap.tsx')).MonthHeatmap;

const loadDrawdowns = async () => (await import('./drawdowns.tsx')).Drawdowns;

/** Milliseconds between two looks at a backtest that runs. */
const POLL_MS = 1500;

const isOver = ({ status }: GetBacktestOutput): boolean => status === 'done' || status === 'failed';

const Result = ({ backtest }: { readonly backtest: GetBacktestOutput }) => {
  const { statistics, currency, timeframe } = backtest;
  if (!statistics) {
    return (
      <Notice kind="warn">
        There are no figures: no bar could be evaluated. Choose a longer span of time, or another instrument.
      </Notice>
    );
  }
  return (
    <>
      <Figures account={backtest.account} statistics={statistics} currency={currency} timeframe={timeframe} />
      <EquityChart
        label="Equity"
        points={backtest.equity}
        benchmark={backtest.benchmark}
        currency={currency}
        timeframe={timeframe}
      />
      <Trades backtest={backtest} />
      <OpenTrades trades={backtest.open_trades} currency={currency} timeframe={timeframe} />
      <LatePart load={loadMonths} props={{ months: backtest.monthly_returns }} />
      <LatePart load={loadDrawdowns} props={{ drawdowns: backtest.drawdowns, timeframe }} />
    </>
  );
};

const Body = ({ backtest }: { readonly backtest: GetBacktestOutput }) => (
  <>
    {!isOver(backtest) && <Progress of={backtest} />}
    {backtest.status === 'failed' && (
      <Notice kind="bad">
        The backtest failed: {backtest.error ?? 'no reason was given'}. Run it again; if it fails again,
        choose a shorter span of time.
      </Notice>
    )}
    <OwnCandlesNote of={backtest} />
    <Warnings warnings={backtest.warnings} />
    {backtest.status === 'done' && <Result backtest={backtest} />}
    <Setup backtest={backtest} />
  </>
);

/** Backtest with its progress, result and trades. */
const Backtest = ({ params }: ScreenProps) => {
  const id = idOf(params.id);
  const [isRunning, setRunning] = useState(false);
  const backtest = useResource(
    async (signal) => hub.getBacktest({ user_id: ME, backtest_id: askable(id) }, { signal }),
    [id],
    {
      ...(isRunning && { everyMs: POLL_MS }),
      on: ({ type }) => type === 'backtest.done',
    },
  );
  const { value } = backtest;
  const names = useStrategyNames([value?.strategy_id ?? null]);
  useEffect(() => setRunning(value !== undefined && !isOver(value)), [value]);
  if (!value && isMissing(backtest.error)) {
    return <Missing thing="backtest" ways={[{ href: '#/backtests', label: 'All backtests' }]} />;
  }
  return (
    <Screen
      title={value ? titleOf(value) : 'Backtest'}
      lead={
        value && (
          <>
            <StrategyName id={value.strategy_id} names={names} />
            {value.backtest_name !== null && (
              <>
                {' '}
                on {value.symbols.join(', ')}, {barsText(value.timeframe)}
              </>
            )}
            : {value.sentence}
          </>
        )
      }
      actions={
        value && (
          <Actions
            backtest={value}
            strategyName={value.strategy_id === null ? undefined : names.get(value.strategy_id)}
            onFiled={backtest.reload}
          />
        )
      }
    >
      <Loaded of={backtest}>{(shown) => <Body backtest={shown} />}</Loaded>
    </Screen>
  );
};

export default Backtest;
