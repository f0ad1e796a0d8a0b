import { useState } from 'preact/hooks';
import { StateTag } from '../../backtests/state-tag.tsx';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { STATISTICS, statisticText } from '../../statistics.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { When } from '../../ui/figures.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useResource } from '../../ui/use-resource.ts';
import { StrategyName, useStrategyNames } from './strategy-name.tsx';

const SIZE = 20;
const EVERY_MS = 15_000;

const paramsText = (params: Readonly<Record<string, number>> | undefined): string =>
  Object.entries(params ?? {})
    .map(([name, value]) => `${name} ${format.number(value)}`)
    .join(', ');

/** Stored sweeps with their best combination. */
export const Sweeps = ({ strategyId }: { readonly strategyId: number | undefined }) => {
  const [page, setPage] = useState(1);
  const [removed, setRemoved] = useState<number>();
  const list = useResource(
    (signal) =>
      hub
        .getSweeps({ user_id: ME, strategy_id: strategyId, page, size: SIZE }, { signal })
        .then((one) => one),
    [strategyId, page],
    { everyMs: EVERY_MS },
  );
  const names = useStrategyNames((list.value?.items ?? []).map(({ strategy_id }) => strategy_id));
  const removal = useAction(async (id: number) => {
    await hub.removeSweep({ user_id: ME, sweep_id: id });
    setRemoved(undefined);
    list.reload();
  });
  return (
    <>
      <PagedTable
        of={list}
        caption="Stored sweeps, newest first"
        label="Pages of sweeps"
        empty={
          <>
            There are no sweeps yet. A sweep tries many values of parameters.{' '}
            <a href={`#/sweeps/new${strategyId === undefined ? '' : `?strategy=${strategyId}`}`}>Start one</a>
            .
          </>
        }
        rowKey={({ sweep_id }) => sweep_id}
        page={page}
        onPage={setPage}
        columns={[
          {
            head: 'Sweep',
            isHead: true,
            cell: ({ sweep_id, symbols, timeframe }) => (
              <a href={`#/sweeps/${sweep_id}`}>
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
            head: 'Combinations',
            isNumber: true,
            cell: ({ combinations }) => format.count(combinations),
          },
          { head: 'Best', cell: ({ summary }) => paramsText(summary?.params) || '–' },
          { head: 'Ranked by', cell: ({ rank_by }) => STATISTICS[rank_by].label },
          {
            head: 'In sample',
            isNumber: true,
            cell: ({ rank_by, summary }) => statisticText(rank_by, summary?.in_sample, ''),
          },
          {
            head: 'Out of sample',
            isNumber: true,
            cell: ({ rank_by, summary }) => statisticText(rank_by, summary?.out_of_sample, ''),
          },
          { head: 'Run', cell: ({ created_at }) => <When at={created_at} /> },
          {
            head: <span class="unseen">Remove</span>,
            cell: ({ sweep_id, symbols }) => (
              <Button
                kind="quiet"
                aria-label={`Remove the sweep of ${symbols.join(', ')}`}
                onClick={() => setRemoved(sweep_id)}
              >
                Remove
              </Button>
            ),
          },
        ]}
      />
      <Confirm
        title="Remove this sweep?"
        open={removed !== undefined}
        action="Remove it"
        busy={removal.isBusy}
        error={removal.error}
        onClose={() => {
          setRemoved(undefined);
          removal.clear();
        }}
        onConfirm={() => {
          if (removed !== undefined) void removal.run(removed);
        }}
      >
        <p>The sweep is removed with its result. If it is running, it stops. Nothing else changes.</p>
      </Confirm>
    </>
  );
};
