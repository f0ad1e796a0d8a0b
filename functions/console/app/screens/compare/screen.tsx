import { useMemo } from 'preact/hooks';
import type { BacktestStatistics, GetBacktestOutput } from '../../../../../infra/client/package/src/index.ts';
import { GrowthChart } from '../../charts/growth-chart.tsx';
import { lengthOf, type Timeframe } from '../../charts/models/candles.ts';
import { hub, ME } from '../../hub.ts';
import type { ScreenProps } from '../../router.ts';
import { StatisticValue } from '../../statistic-value.tsx';
import { bestOf, STATISTIC_GROUPS, STATISTICS, type StatisticKey } from '../../statistics.ts';
import { StrategyName, useStrategyNames } from '../../strategies/strategy-name.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { isMissing } from '../../ui/ids.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Missing } from '../../ui/missing.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Screen } from '../../ui/screen.tsx';
import { useResource } from '../../ui/use-resource.ts';

const MOST = 4;

/** Backtest with a name that tells it from the others. */
interface Named {
  readonly name: string;
  readonly backtest: GetBacktestOutput;
  readonly statistics: BacktestStatistics | null;
}

const LETTERS = ['A', 'B', 'C', 'D'] as const;

const named = (backtests: readonly GetBacktestOutput[]): Named[] =>
  backtests.map((backtest, index) => ({
    name: `${LETTERS[index]}: ${backtest.symbols.join(', ')}, ${backtest.timeframe}`,
    backtest,
    statistics: backtest.statistics,
  }));

const numberOf = (value: BacktestStatistics[StatisticKey] | undefined): number | null =>
  typeof value === 'number' ? value : null;

const Statistics = ({ all }: { readonly all: readonly Named[] }) => {
  const hasCurrencies = new Set(all.map(({ backtest }) => backtest.currency)).size > 1;
  const cellOf = (key: StatisticKey, index: number) => {
    const one = all[index];
    const value = one?.statistics?.[key];
    const isAmount = STATISTICS[key].kind === 'money' || STATISTICS[key].kind === 'result';
    const isBest =
      !(isAmount && hasCurrencies) &&
      bestOf(
        key,
        all.map(({ statistics }) => numberOf(statistics?.[key])),
      ).has(index);
    return (
      <span class={isBest ? 'best' : undefined}>
        <StatisticValue
          name={key}
          value={value}
          currency={one?.backtest.currency ?? ''}
          timeframe={one?.backtest.timeframe}
        />
        {isBest && (
          <>
            <span aria-hidden="true"> ★</span>
            <span class="unseen"> best</span>
          </>
        )}
      </span>
    );
  };
  return (
    <section class="stack">
      <h2>Statistics</h2>
      <p class="muted">★ marks the best figure of a row. Amounts are in the currency of each backtest.</p>
      {STATISTIC_GROUPS.map(({ title, keys }) => (
        <DataTable
          key={title}
          caption={title}
          showCaption
          rows={keys}
          rowKey={(key) => key}
          columns={[
            { head: 'Figure', isHead: true, cell: (key) => STATISTICS[key].label },
            ...all.map(({ name }, index) => ({
              head: name,
              isNumber: true,
              cell: (key: StatisticKey) => cellOf(key, index),
            })),
          ]}
        />
      ))}
    </section>
  );
};

/** Returns the longest bars of several backtests: their times suit all of them. */
const longestOf = (timeframes: readonly Timeframe[]): Timeframe | undefined =>
  [...timeframes].sort((left, right) => lengthOf(right) - lengthOf(left))[0];

const isDone = ({ backtest }: Named): boolean => backtest.status === 'done' && backtest.statistics !== null;

const Body = ({ backtests }: { readonly backtests: readonly GetBacktestOutput[] }) => {
  const names = useStrategyNames(backtests.map(({ strategy_id }) => strategy_id));
  const all = useMemo(() => named(backtests), [backtests]);
  const done = useMemo(() => all.filter(isDone), [all]);
  const curves = useMemo(() => done.map(({ name, backtest }) => ({ name, points: backtest.equity })), [done]);
  const isSameSpan = new Set(done.map(({ statistics }) => statistics?.period_start)).size <= 1;
  const timeframe = longestOf(done.map(({ backtest }) => backtest.timeframe));
  return (
    <>
      <ul class="stack">
        {all.map(({ name, backtest }) => (
          <li key={backtest.backtest_id}>
            <a href={`#/backtests/${backtest.backtest_id}`}>{name}</a>,{' '}
            <StrategyName id={backtest.strategy_id} names={names} />: {backtest.sentence}
          </li>
        ))}
      </ul>
      {done.length < all.length && (
        <Notice kind="warn">Backtests that are not done, or without figures, are left out below.</Notice>
      )}
      {!isSameSpan && (
        <Notice kind="warn">
          The backtests begin at different times, so their totals do not compare. Look at the figures per
          year.
        </Notice>
      )}
      {timeframe && <GrowthChart label="Growth since the start" curves={curves} timeframe={timeframe} />}
      {done.length > 0 && <Statistics all={done} />}
    </>
  );
};

/** Up to four backtests, next to each other. */
const Compare = ({ params }: ScreenProps) => {
  const ids = [...new Set((params.ids ?? '').split(',').map(Number))]
    .filter((id) => Number.isSafeInteger(id) && id > 0)
    .slice(0, MOST);
  const backtests = useResource(
    (signal) =>
      Promise.all(ids.map((backtest_id) => hub.getBacktest({ user_id: ME, backtest_id }, { signal }))),
    ids,
  );
  if (!backtests.value && isMissing(backtests.error)) {
    return (
      <Missing
        thing="comparison"
        reason="one of its backtests is gone"
        ways={[{ href: '#/backtests', label: 'All backtests' }]}
      />
    );
  }
  return (
    <Screen title="Compare backtests" actions={<LinkButton href="#/backtests">All backtests</LinkButton>}>
      {ids.length < 2 ? (
        <p class="empty">
          Choose two to four backtests in <a href="#/backtests">the list</a> to compare them.
        </p>
      ) : (
        <Loaded of={backtests}>{(value) => <Body backtests={value} />}</Loaded>
      )}
    </Screen>
  );
};

export default Compare;
