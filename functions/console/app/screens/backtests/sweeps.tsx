import type { SweepItem } from '../../../../../infra/client/package/src/index.ts';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { StatisticValue } from '../../statistic-value.tsx';
import { STATISTICS } from '../../statistics.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Count } from '../../ui/figures.tsx';
import { StoredTests } from './stored-tests.tsx';

const paramsText = (params: Readonly<Record<string, number>> | undefined): string =>
  Object.entries(params ?? {})
    .map(([name, value]) => `${name} ${format.number(value)}`)
    .join(', ');

/** Stored sweeps with their best combination. */
export const Sweeps = ({ strategyId }: { readonly strategyId: number | undefined }) => (
  <StoredTests<SweepItem>
    thing="sweep"
    strategyId={strategyId}
    load={(at, signal) => hub.getSweeps({ user_id: ME, strategy_id: strategyId, ...at }, { signal })}
    idOf={({ sweep_id }) => sweep_id}
    remove={async ({ sweep_id }) => {
      await hub.removeSweep({ user_id: ME, sweep_id });
    }}
    removed="result"
    empty={
      <Empty
        title="There are no sweeps yet."
        next={
          <LinkButton
            kind="primary"
            href={`#/sweeps/new${strategyId === undefined ? '' : `?strategy=${strategyId}`}`}
          >
            Start a sweep
          </LinkButton>
        }
      >
        A sweep tries many values of the parameters of a strategy, and ranks them.
      </Empty>
    }
    figures={[
      { head: 'Combinations', isNumber: true, cell: ({ combinations }) => <Count value={combinations} /> },
      { head: 'Best', cell: ({ summary }) => paramsText(summary?.params) || '–' },
      { head: 'Ranked by', cell: ({ rank_by }) => STATISTICS[rank_by].label },
      {
        head: 'In sample',
        isNumber: true,
        cell: ({ rank_by, summary }) => (
          <StatisticValue name={rank_by} value={summary?.in_sample} currency="" />
        ),
      },
      {
        head: 'Out of sample',
        isNumber: true,
        cell: ({ rank_by, summary }) => (
          <StatisticValue name={rank_by} value={summary?.out_of_sample} currency="" />
        ),
      },
    ]}
  />
);
