import type { GetBacktestsOutput, StrategyRulesOut } from '../../../../../infra/client/package/src/index.ts';
import { newestDone } from '../../backtests/newest.ts';
import { StateTag } from '../../backtests/state-tag.tsx';
import { changesAny } from '../../deployments/changes.ts';
import { State } from '../../deployments/state.tsx';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { Performance } from '../../strategies/performance.tsx';
import { barsText } from '../../strategies/texts.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Count, Figure, Percent, When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { modeText } from '../../ui/mode.tsx';
import { Notice, Tag } from '../../ui/notice.tsx';
import { type Resource, useResource } from '../../ui/use-resource.ts';
import { type Run, type Runs, runsOf } from './runs.ts';
import { Section } from './section.tsx';

const RunTable = ({ runs }: { readonly runs: readonly Run[] }) => (
  <DataTable
    caption="Deployments of this strategy"
    rows={runs}
    rowKey={({ id }) => id}
    columns={[
      {
        head: 'Deployed',
        isHead: true,
        cell: ({ id, at }) => (
          <a href={`#/deployments/${id}`}>
            <When at={at} />
          </a>
        ),
      },
      { head: 'Money', cell: ({ mode }) => modeText(mode) },
      { head: 'Instruments', cell: ({ symbols }) => symbols.join(', ') },
      { head: 'State', cell: ({ facts }) => <State of={facts} isShort /> },
      { head: 'Return', isNumber: true, cell: ({ returnPct }) => <Percent value={returnPct} signed /> },
      { head: 'Trades', isNumber: true, cell: ({ trades }) => <Count value={trades} /> },
    ]}
  />
);

/** Open results make no events. */
const MARKS_MS = 60_000;

/** Loads the chart and its statistics after the rest of the screen. */
const loadEquity = async () => (await import('./deployment-equity.tsx')).DeploymentEquity;

const Deployments = ({ strategy, onDeploy }: OwnResultsProps) => {
  const id = strategy.strategy_id;
  const runs: Resource<Runs> = useResource((signal) => runsOf(strategy, signal), [id], {
    everyMs: MARKS_MS,
    on: (event) => changesAny(runs.value?.runs.map((run) => run.id) ?? [], event),
  });
  const equity = useResource(loadEquity, []);
  return (
    <div class="stack">
      <h3>Deployments</h3>
      <Loaded
        of={runs}
        empty={({ runs: all }) =>
          all.length === 0 && (
            <>
              <p>It has never run. On paper it trades at new prices without money.</p>
              {strategy.status !== 'archived' && <Button onClick={onDeploy}>Deploy</Button>}
            </>
          )
        }
      >
        {({ runs: all, isCut }) => (
          <>
            <Loaded of={equity}>{(Equity) => <Equity runs={all} />}</Loaded>
            <RunTable runs={all} />
            {isCut && (
              <p class="muted">
                Of ended deployments, only those among your latest 100 are listed. All are under{' '}
                <a href="#/deployments">Deployments</a>.
              </p>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
};

const SHOWN_BACKTESTS = 5;

type StoredBacktests = Pick<GetBacktestsOutput, 'items' | 'total'>;

/** Main figures of the newest backtest that has any, for a strategy without results of trading. */
const NewestBacktest = ({ items }: Pick<StoredBacktests, 'items'>) => {
  const newest = newestDone(items);
  if (!newest) return null;
  const { summary, symbols, timeframe, candles, created_at, backtest_id } = newest;
  return (
    <div class="performance">
      <dl class="figures">
        <Figure label="Return" value={<Percent value={summary.total_return_pct} signed />} />
        <Figure label="Drawdown" value={<Percent value={summary.max_drawdown_equity_pct} />} />
        <Figure label="Win rate" value={<Percent value={summary.win_rate_pct} />} />
        <Figure label="Trades" value={format.count(summary.trades_count)} />
      </dl>
      <p class="source">
        <Tag kind="warn">Backtest</Tag>{' '}
        <span class="muted">
          on {candles === 'own' ? 'your candles' : 'past prices'} of {symbols.join(', ')},{' '}
          {barsText(timeframe)}, run <When at={created_at} />. It is not a result of trading.
        </span>{' '}
        <a href={`#/backtests/${backtest_id}`}>Show this backtest</a>
      </p>
    </div>
  );
};

interface BacktestsProps {
  readonly strategy: StrategyRulesOut;
  readonly of: Resource<StoredBacktests>;
}

const Backtests = ({ strategy, of: backtests }: BacktestsProps) => {
  const id = strategy.strategy_id;
  return (
    <div class="stack">
      <h3>Backtests</h3>
      <Loaded
        of={backtests}
        empty={({ total }) =>
          total === 0 && (
            <>
              <p>
                It has no backtest yet. One that ran before the strategy was saved is under{' '}
                <a href="#/backtests">Backtests</a>.
              </p>
              {strategy.rules !== null && (
                <LinkButton href={`#/backtests/new?strategy=${id}`}>Run a backtest</LinkButton>
              )}
            </>
          )
        }
      >
        {({ items, total }) => (
          <>
            <DataTable
              caption="Newest backtests of this strategy"
              rows={items}
              rowKey={({ backtest_id }) => backtest_id}
              columns={[
                {
                  head: 'Run',
                  isHead: true,
                  cell: ({ backtest_id, created_at }) => (
                    <a href={`#/backtests/${backtest_id}`}>
                      <When at={created_at} />
                    </a>
                  ),
                },
                { head: 'Instruments', cell: ({ symbols }) => symbols.join(', ') },
                { head: 'Bars', cell: ({ timeframe }) => timeframe },
                {
                  head: 'Return',
                  isNumber: true,
                  cell: (backtest) =>
                    backtest.summary ? (
                      <Percent value={backtest.summary.total_return_pct} signed />
                    ) : (
                      <StateTag of={backtest} />
                    ),
                },
                {
                  head: 'Drawdown',
                  isNumber: true,
                  cell: ({ summary }) => <Percent value={summary?.max_drawdown_equity_pct} />,
                },
                {
                  head: 'Win rate',
                  isNumber: true,
                  cell: ({ summary }) => <Percent value={summary?.win_rate_pct} />,
                },
                {
                  head: 'Trades',
                  isNumber: true,
                  cell: ({ summary }) => <Count value={summary?.trades_count} />,
                },
              ]}
            />
            <p class="row">
              {total > items.length && <span class="muted">The newest of {format.count(total)}.</span>}
              {strategy.rules !== null && (
                <LinkButton href={`#/backtests/new?strategy=${id}`}>Run another</LinkButton>
              )}
            </p>
          </>
        )}
      </Loaded>
    </div>
  );
};

interface OwnResultsProps {
  readonly strategy: StrategyRulesOut;
  readonly onDeploy: () => void;
}

interface ResultsProps {
  readonly strategy: StrategyRulesOut;
  readonly backtests: StoredBacktests['items'];
}

/** Figures of the deployments. A track record has its own part of the screen. */
const Results = ({ strategy, backtests }: ResultsProps) => {
  const { performance, strategy_name: name } = strategy;
  const { source, mode, as_of } = performance;
  if (source === 'record') return null;
  if (mode === null && as_of === null) {
    return (
      <>
        <NewestBacktest items={backtests} />
        <Notice>
          No result of trading yet. It comes with the first closed trade on a real market: trades on the demo
          market and backtests do not count.
        </Notice>
      </>
    );
  }
  return (
    <>
      <Performance performance={performance} name={name} />
      <p class="muted">
        {source === 'reported'
          ? 'Others see these figures of all your deployments since the publication, as not verified.'
          : 'Only you see these figures. They are of one deployment: with real money before paper, and the one with more trades.'}
      </p>
    </>
  );
};

/** Results of an own strategy: of its deployments, and of its backtests. */
export const OwnResults = ({ strategy, onDeploy }: OwnResultsProps) => {
  const { strategy_id: id } = strategy;
  const backtests = useResource(
    (signal): Promise<StoredBacktests> =>
      hub.getBacktests({ user_id: ME, strategy_id: id, size: SHOWN_BACKTESTS }, { signal }),
    [id],
    { on: ({ type }) => type === 'backtest.done' },
  );
  return (
    <Section title="How it has done">
      <Results strategy={strategy} backtests={backtests.value?.items ?? []} />
      <Deployments strategy={strategy} onDeploy={onDeploy} />
      <Backtests strategy={strategy} of={backtests} />
    </Section>
  );
};
