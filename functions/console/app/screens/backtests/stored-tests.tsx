import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { BacktestItem, SweepItem } from '../../../../../infra/client/package/src/index.ts';
import { StateTag } from '../../backtests/state-tag.tsx';
import { StrategyName, useStrategyNames } from '../../strategies/strategy-name.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm, useConfirmed } from '../../ui/dialog.tsx';
import { When } from '../../ui/figures.tsx';
import { Tag } from '../../ui/notice.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import type { Column } from '../../ui/table/table-props.ts';
import { useResource } from '../../ui/use-resource.ts';
import type { ReadPage } from '../../ui/whole-list.ts';
import type { UpdateEvent } from '../../update-events.ts';

const SIZE = 20;
/** Milliseconds between two looks at the list, for those that run. */
const EVERY_MS = 15_000;

interface NamedTest extends Pick<BacktestItem, 'symbols' | 'timeframe'> {
  readonly backtest_name?: string | null;
}

/** Returns what a test runs on, as its name, after the name that its owner gave. */
export const testName = ({ symbols, timeframe, backtest_name }: NamedTest): string =>
  `${backtest_name ? `${backtest_name}: ` : ''}${symbols.join(', ')}, ${timeframe}`;

interface StoredTestsProps<R> {
  readonly thing: 'backtest' | 'sweep';
  readonly strategyId: number | undefined;
  readonly load: ReadPage<R>;
  /** Selects the change events after which the list is loaded again. */
  readonly on?: (event: UpdateEvent) => boolean;
  readonly idOf: (test: R) => number;
  readonly remove: (test: R) => Promise<void>;
  /** Names the things that are removed with a test. */
  readonly removed: string;
  readonly empty: ComponentChildren;
  /** Columns before the name. */
  readonly first?: readonly Column<R>[];
  readonly figures: readonly Column<R>[];
  readonly children?: ComponentChildren;
}

/** Stored tests of a kind, newest first. They can be opened and removed. */
export const StoredTests = <R extends BacktestItem | SweepItem>(props: StoredTestsProps<R>) => {
  const { thing, idOf } = props;
  const [page, setPage] = useState(1);
  const list = useResource((signal) => props.load({ page, size: SIZE }, signal), [props.strategyId, page], {
    everyMs: EVERY_MS,
    ...(props.on && { on: props.on }),
  });
  const names = useStrategyNames((list.value?.items ?? []).map((test) => test.strategy_id));
  const removal = useConfirmed(async (test: R) => {
    await props.remove(test);
    list.reload();
  });
  return (
    <>
      <PagedTable
        of={list}
        read={props.load}
        caption={`Stored ${thing}s, newest first`}
        label={`Pages of ${thing}s`}
        empty={props.empty}
        rowKey={idOf}
        page={page}
        onPage={setPage}
        columns={[
          ...(props.first ?? []),
          {
            head: thing === 'backtest' ? 'Backtest' : 'Sweep',
            isHead: true,
            cell: (test) => (
              <>
                <a href={`#/${thing}s/${idOf(test)}`}>{testName(test)}</a>
                {test.candles === 'own' && <Tag>Your candles</Tag>}
              </>
            ),
          },
          { head: 'Strategy', cell: (test) => <StrategyName id={test.strategy_id} names={names} /> },
          { head: 'State', cell: (test) => <StateTag of={test} /> },
          ...props.figures,
          { head: 'Run', cell: ({ created_at }) => <When at={created_at} /> },
          {
            head: 'Remove',
            isCommands: true,
            cell: (test) => (
              <Button
                kind="quiet"
                aria-label={`Remove the ${thing} of ${testName(test)}`}
                onClick={() => removal.ask(test)}
              >
                Remove
              </Button>
            ),
          },
        ]}
      >
        {props.children}
      </PagedTable>
      <Confirm title={`Remove this ${thing}?`} action="Remove it" {...removal.dialog}>
        <p>
          The {thing} of {removal.asked && testName(removal.asked)} is removed with its {props.removed}. If it
          is running, it stops. Nothing else changes.
        </p>
      </Confirm>
    </>
  );
};
