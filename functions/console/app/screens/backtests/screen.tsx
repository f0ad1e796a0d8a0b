import { useState } from 'preact/hooks';
import { StateTag } from '../../backtests/state-tag.tsx';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { navigate, type ScreenProps } from '../../router.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Percent, When } from '../../ui/figures.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';
import { StrategyName, useStrategyNames } from './strategy-name.tsx';
import { Sweeps } from './sweeps.tsx';

const SIZE = 20;
/** Backtests of one comparison. */
const MOST_COMPARED = 4;
/** Milliseconds between two looks at the list, for those that run. */
const EVERY_MS = 15_000;

const NothingYet = ({ add }: { readonly add: string }) => (
  <>
    There are no backtests here yet. A backtest shows how rules would have done on past prices.{' '}
    <a href={add}>Run the first one</a>.
  </>
);

/** Stored backtests with their main figures. Two to four of them can be compared. */
const Stored = ({ strategyId }: { readonly strategyId: number | undefined }) => {
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [removed, setRemoved] = useState<{ readonly id: number; readonly name: string }>();
  const list = useResource(
    (signal) =>
      hub
        .getBacktests({ user_id: ME, strategy_id: strategyId, page, size: SIZE }, { signal })
        .then((one) => one),
    [strategyId, page],
    { everyMs: EVERY_MS, on: ({ type }) => type === 'backtest.done' },
  );
  const names = useStrategyNames((list.value?.items ?? []).map(({ strategy_id }) => strategy_id));
  const removal = useAction(async (id: number) => {
    await hub.removeBacktest({ user_id: ME, backtest_id: id });
    setChosen(chosen.filter((one) => one !== id));
    setRemoved(undefined);
    list.reload();
  });
  const add = strategyId === undefined ? '#/backtests/new' : `#/backtests/new?strategy=${strategyId}`;
  const toggle = (id: number): void =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <>
      <PagedTable
        of={list}
        caption="Stored backtests, newest first"
        label="Pages of backtests"
        empty={<NothingYet add={add} />}
        rowKey={({ backtest_id }) => backtest_id}
        page={page}
        onPage={setPage}
        columns={[
          {
            head: 'Compare',
            cell: ({ backtest_id, symbols, timeframe, status }) => (
              <label class="checkbox">
                <input
                  type="checkbox"
                  checked={chosen.includes(backtest_id)}
                  disabled={
                    status !== 'done' || (chosen.length >= MOST_COMPARED && !chosen.includes(backtest_id))
                  }
                  onChange={() => toggle(backtest_id)}
                />
                <span class="unseen">
                  Compare {symbols.join(', ')}, {timeframe}
                </span>
              </label>
            ),
          },
          {
            head: 'Backtest',
            isHead: true,
            cell: ({ backtest_id, symbols, timeframe }) => (
              <a href={`#/backtests/${backtest_id}`}>
                {symbols.join(', ')}, {timeframe}
              </a>
            ),
          },
          {
            head: 'Strategy',
            cell: ({ strategy_id }) => <StrategyName id={strategy_id} names={names} />,
          },
          { head: 'State', cell: (item) => <StateTag of={item} /> },
          {
            head: 'Total return',
            isNumber: true,
            cell: ({ summary }) => <Percent value={summary?.total_return_pct} signed />,
          },
          {
            head: 'Deepest drawdown',
            isNumber: true,
            cell: ({ summary }) => <Percent value={summary?.max_drawdown_equity_pct} />,
          },
          {
            head: 'Sharpe ratio',
            isNumber: true,
            cell: ({ summary }) => format.ratio(summary?.sharpe_ratio),
          },
          {
            head: 'Win rate',
            isNumber: true,
            cell: ({ summary }) => <Percent value={summary?.win_rate_pct} />,
          },
          {
            head: 'Closed trades',
            isNumber: true,
            cell: ({ summary }) => format.count(summary?.trades_count),
          },
          { head: 'Run', cell: ({ created_at }) => <When at={created_at} /> },
          {
            head: <span class="unseen">Remove</span>,
            cell: ({ backtest_id, symbols, timeframe }) => (
              <Button
                kind="quiet"
                aria-label={`Remove the backtest of ${symbols.join(', ')}, ${timeframe}`}
                onClick={() => setRemoved({ id: backtest_id, name: `${symbols.join(', ')}, ${timeframe}` })}
              >
                Remove
              </Button>
            ),
          },
        ]}
      >
        <div class="row row-apart">
          <p class="muted">Tick two to four backtests to compare them.</p>
          <Button
            disabled={chosen.length < 2 || chosen.length > MOST_COMPARED}
            onClick={() => navigate(`/compare/${chosen.join(',')}`)}
          >
            Compare {chosen.length > 0 ? format.count(chosen.length) : ''}
          </Button>
        </div>
      </PagedTable>
      <Confirm
        title="Remove this backtest?"
        open={removed !== undefined}
        action="Remove it"
        busy={removal.isBusy}
        error={removal.error}
        onClose={() => {
          setRemoved(undefined);
          removal.clear();
        }}
        onConfirm={() => {
          if (removed) void removal.run(removed.id);
        }}
      >
        <p>
          The backtest of {removed?.name} is removed with its trades. If it is running, it stops. Nothing else
          changes.
        </p>
      </Confirm>
    </>
  );
};

const idIn = (text: string | null): number | undefined => (text === null ? undefined : Number(text));

/** Stored backtests and sweeps. */
const Backtests = ({ query }: ScreenProps) => {
  const strategyId = idIn(query.get('strategy'));
  const isSweeps = query.has('sweeps');
  const suffix = strategyId === undefined ? '' : `strategy=${strategyId}`;
  return (
    <Screen
      title={strategyId === undefined ? 'Backtests' : 'Backtests of a strategy'}
      lead="How rules would have done on past prices. The past is no promise, but rules that failed in it rarely do well later."
      actions={
        <>
          <LinkButton kind="primary" href={`#/backtests/new?${suffix}`}>
            New backtest
          </LinkButton>
          <LinkButton href={`#/sweeps/new?${suffix}`}>New parameter sweep</LinkButton>
          {strategyId !== undefined && <LinkButton href="#/backtests">All backtests</LinkButton>}
        </>
      }
    >
      <Tabs
        label="Kinds of tests"
        items={[
          { href: `#/backtests?${suffix}`, label: 'Backtests', isCurrent: !isSweeps },
          { href: `#/backtests?sweeps&${suffix}`, label: 'Parameter sweeps', isCurrent: isSweeps },
        ]}
      />
      {isSweeps ? <Sweeps strategyId={strategyId} /> : <Stored strategyId={strategyId} />}
    </Screen>
  );
};

export default Backtests;
