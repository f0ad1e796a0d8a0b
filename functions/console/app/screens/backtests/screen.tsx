import { useState } from 'preact/hooks';
import type { BacktestItem } from '../../../../../infra/client/package/src/index.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { navigate, type ScreenProps } from '../../router.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Count, Percent, Ratio } from '../../ui/figures.tsx';
import { idOf } from '../../ui/ids.ts';
import { Screen } from '../../ui/screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { StoredTests, testName } from './stored-tests.tsx';
import { Sweeps } from './sweeps.tsx';

/** Backtests of one comparison. */
const MOST_COMPARED = 4;

const NothingYet = ({ add }: { readonly add: string }) => (
  <Empty
    title="There are no backtests here yet."
    next={
      <LinkButton kind="primary" href={add}>
        Run the first one
      </LinkButton>
    }
  >
    A backtest shows how rules would have done on past prices.
  </Empty>
);

/** Stored backtests with their main figures. Two to four of them can be compared. */
const Stored = ({ strategyId }: { readonly strategyId: number | undefined }) => {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const add = strategyId === undefined ? '#/backtests/new' : `#/backtests/new?strategy=${strategyId}`;
  const without = (id: number): readonly number[] => chosen.filter((one) => one !== id);
  const isChosen = (id: number): boolean => chosen.includes(id);
  return (
    <StoredTests<BacktestItem>
      thing="backtest"
      strategyId={strategyId}
      load={(at, signal) => hub.getBacktests({ user_id: ME, strategy_id: strategyId, ...at }, { signal })}
      on={({ type }) => type === 'backtest.done'}
      idOf={({ backtest_id }) => backtest_id}
      remove={async ({ backtest_id }) => {
        await hub.removeBacktest({ user_id: ME, backtest_id });
        setChosen(without(backtest_id));
      }}
      removed="trades"
      empty={<NothingYet add={add} />}
      first={[
        {
          head: 'Compare',
          isCommands: true,
          cell: ({ backtest_id: id, status, ...test }) => (
            <label class="checkbox">
              <input
                type="checkbox"
                checked={isChosen(id)}
                disabled={status !== 'done' || (chosen.length >= MOST_COMPARED && !isChosen(id))}
                onChange={() => setChosen(isChosen(id) ? without(id) : [...chosen, id])}
              />
              <span class="unseen">Compare {testName(test)}</span>
            </label>
          ),
        },
      ]}
      figures={[
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
          cell: ({ summary }) => <Ratio value={summary?.sharpe_ratio} />,
        },
        {
          head: 'Win rate',
          isNumber: true,
          cell: ({ summary }) => <Percent value={summary?.win_rate_pct} />,
        },
        {
          head: 'Closed trades',
          isNumber: true,
          cell: ({ summary }) => <Count value={summary?.trades_count} />,
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
    </StoredTests>
  );
};

/** Reads the strategy in an address. All tests are listed for a text that is no id. */
const idIn = (text: string | null): number | undefined => idOf(text ?? undefined) || undefined;

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
          <LinkButton href="#/candles">Your candles</LinkButton>
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
