import { useState } from 'preact/hooks';
import type {
  GetAllLiveDeploymentsV2Output,
  LiveExpiredOut,
  NotificationDeploymentOut,
  ScannerDeploymentsOut,
} from '../../../../../infra/client/package/src/index.ts';
import { changesDeployments } from '../../deployments/changes.ts';
import { Commands, commandedLive, commandedOther } from '../../deployments/commands.tsx';
import { livesInBars } from '../../deployments/market-time.ts';
import { PriceAge } from '../../deployments/price-age.tsx';
import { State } from '../../deployments/state.tsx';
import { format } from '../../format.ts';
import { hub, ME } from '../../hub.ts';
import { barsText } from '../../strategies/texts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field, Select, TextInput } from '../../ui/field.tsx';
import { Age, Count, Figure, Money, Percent, When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Mode } from '../../ui/mode.tsx';
import { Tag } from '../../ui/notice.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Pager } from '../../ui/pager.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useResource } from '../../ui/use-resource.ts';
import type { At, ReadPage } from '../../ui/whole-list.ts';

type Trading = GetAllLiveDeploymentsV2Output['items'][number];

const PAGE_SIZE = 25;
/** Marks and open results make no events. */
const MARKS_MS = 15_000;

const Name = ({
  of: { deployment_id, strategy_name },
}: {
  of: Pick<Trading, 'deployment_id' | 'strategy_name'>;
}) => <a href={`#/deployments/${deployment_id}`}>{strategy_name}</a>;

const LastOrder = ({ of: order }: { of: Trading['latest_order'] }) =>
  order ? (
    <>
      {order.side === 'buy' ? 'Buy' : 'Sell'} {order.symbol}, {order.status.replaceAll('_', ' ')}{' '}
      <When at={order.updated_at} />
    </>
  ) : (
    <>None yet</>
  );

const Card = ({ of: one, onDone }: { of: Trading; onDone: () => void }) => {
  const { currency } = one;
  return (
    <li class="card">
      <div class="row row-apart">
        <h2>
          <Name of={one} />
        </h2>
        <Mode mode={one.mode} />
      </div>
      <State of={{ ...one, kind: 'live' }} />
      <p class="muted">
        {one.symbols.join(', ')}, {barsText(one.timeframe)}
      </p>
      <dl class="figures">
        <Figure label="Today" value={<Money value={one.today_pnl} currency={currency} signed />} />
        <Figure
          label="Open profit or loss"
          value={<Money value={one.unrealized_pnl} currency={currency} signed />}
          hint={
            one.as_of === null ? (
              one.positions.length === 0 ? (
                'no open position'
              ) : (
                'no price yet'
              )
            ) : (
              <>
                before fees, price <PriceAge {...one} at={one.as_of} isMarketTime={livesInBars(one)} />
              </>
            )
          }
        />
        <Figure
          label="Result after fees"
          value={<Money value={one.total_pnl} currency={currency} signed />}
          hint={
            <>
              <Percent value={one.return_pct} signed /> since the start
            </>
          }
        />
        <Figure
          label="Equity"
          value={
            <Money
              value={one.total_pnl === null ? null : one.starting_capital + one.total_pnl}
              currency={currency}
            />
          }
        />
      </dl>
      <p class="muted">
        Last signal: <LastOrder of={one.latest_order} />
      </p>
      <div class="actions">
        <LinkButton href={`#/deployments/${one.deployment_id}`}>Open</LinkButton>
        <Commands of={commandedLive(one)} onDone={onDone} isInTable />
      </div>
    </li>
  );
};

const NoneYet = ({ title, children }: { title: string; children: string }) => (
  <Empty
    title={title}
    next={
      <>
        <LinkButton kind="primary" href="#/explore">
          Find a strategy
        </LinkButton>
        <LinkButton href="#/build">Build your own</LinkButton>
      </>
    }
  >
    {children}
  </Empty>
);

/** Live and paper deployments that run or hold something. */
export const TradingList = ({ onChange }: { onChange: () => void }) => {
  const [page, setPage] = useState(1);
  const list = useResource(
    (signal) => hub.getAllLiveDeploymentsV2({ user_id: ME, page, size: PAGE_SIZE }, { signal }),
    [page],
    { everyMs: MARKS_MS, on: changesDeployments },
  );
  const done = (): void => {
    list.reload();
    onChange();
  };
  return (
    <Loaded
      of={list}
      empty={({ total }) =>
        total === 0 && (
          <NoneYet title="No strategy trades for you now.">
            Deploy one on paper first: it trades without money.
          </NoneYet>
        )
      }
    >
      {({ items, pages }) => (
        <>
          <p class="muted">
            Figures of <Age at={list.loadedAt} />
          </p>
          <ul class="cards deployment-cards">
            {items.map((one) => (
              <Card key={one.deployment_id} of={one} onDone={done} />
            ))}
          </ul>
          <Pager page={page} pages={pages} onPage={setPage} label="Pages of deployments" />
        </>
      )}
    </Loaded>
  );
};

const idOf = ({ deployment_id }: Pick<Trading, 'deployment_id'>): number => deployment_id;

/** Milliseconds without typing after which a search is sent. */
const TYPING_MS = 250;

const readNotifying: ReadPage<NotificationDeploymentOut> = (at, signal) =>
  hub.getAllNotificationDeployments({ user_id: ME, ...at }, { signal });

const readScanners: ReadPage<ScannerDeploymentsOut> = (at, signal) =>
  hub.getScannerDeployments({ user_id: ME, ...at }, { signal });

/** Deployments that notify of signals. */
export const NotificationList = () => {
  const [page, setPage] = useState(1);
  const list = useResource((signal) => readNotifying({ page, size: PAGE_SIZE }, signal), [page], {
    on: ({ type }) => /^(deployment|signal)\./.test(type),
  });
  return (
    <PagedTable
      of={list}
      read={readNotifying}
      caption="Notification deployments"
      label="Pages of notification deployments"
      rowKey={idOf}
      empty={
        <NoneYet title="No strategy notifies you of signals.">
          Deploy one with notifications: it trades nothing and only tells you.
        </NoneYet>
      }
      page={page}
      onPage={setPage}
      columns={[
        { head: 'Strategy', isHead: true, cell: (one) => <Name of={one} /> },
        { head: 'State', cell: (one) => <State of={{ ...one, kind: 'notification' }} isShort /> },
        {
          head: 'Symbols',
          cell: ({ symbol, timeframe }) => `${symbol.replaceAll(',', ', ')}, ${barsText(timeframe)}`,
        },
        {
          head: 'Last signal',
          cell: ({ last_signal }) =>
            last_signal ? (
              <>
                {last_signal.side === 'buy' ? 'Buy' : 'Sell'} <When at={last_signal.at} />
              </>
            ) : (
              'None yet'
            ),
        },
        { head: 'Signals', isNumber: true, cell: ({ signals_count }) => <Count value={signals_count} /> },
        {
          head: 'Unread',
          isNumber: true,
          cell: ({ unread_count }) =>
            unread_count > 0 ? (
              <Tag kind="info">
                <Count value={unread_count} />
              </Tag>
            ) : (
              <Count value={0} />
            ),
        },
        {
          head: 'Commands',
          isCommands: true,
          cell: (one) => (
            <div class="actions">
              <Commands of={commandedOther(one, 'notification')} onDone={list.reload} isInTable />
            </div>
          ),
        },
      ]}
    />
  );
};

/** Deployments that watch a universe of instruments. */
export const ScannerList = () => {
  const [page, setPage] = useState(1);
  const list = useResource((signal) => readScanners({ page, size: PAGE_SIZE }, signal), [page], {
    on: ({ type }) => /^(deployment|scanner)\./.test(type),
  });
  return (
    <PagedTable
      of={list}
      read={readScanners}
      caption="Scanners"
      label="Pages of scanners"
      rowKey={idOf}
      empty={
        <NoneYet title="No scanner runs.">
          A scanner watches many instruments at once and tells you which ones match a strategy.
        </NoneYet>
      }
      page={page}
      onPage={setPage}
      columns={[
        { head: 'Strategy', isHead: true, cell: (one) => <Name of={one} /> },
        { head: 'Watches', cell: ({ universe_name }) => universe_name },
        { head: 'State', cell: (one) => <State of={{ ...one, kind: 'scanner' }} isShort /> },
        { head: 'Matches', isNumber: true, cell: ({ matches_count }) => <Count value={matches_count} /> },
        {
          head: 'Last matches',
          cell: ({ last_matches }) =>
            [...new Set(last_matches.map(({ symbol }) => symbol))].slice(0, 5).join(', ') || 'None yet',
        },
        { head: 'Last run', cell: ({ last_run_at }) => <When at={last_run_at} /> },
        {
          head: 'Commands',
          isCommands: true,
          cell: (one) => (
            <div class="actions">
              <Commands of={commandedOther(one, 'scanner')} onDone={list.reload} isInTable />
            </div>
          ),
        },
      ]}
    />
  );
};

/** Markets whose ended deployments the service lists apart. */
const MARKETS = [
  { value: 'usual', label: 'Shares, currencies and others' },
  { value: 'prediction', label: 'Prediction markets' },
] as const;

/** Live and paper deployments that have ended. */
export const EndedList = () => {
  const [page, setPage] = useState(1);
  const [market, setMarket] = useState('usual');
  const [searched, setSearched] = useState('');
  const search_key = useDebounced(searched.trim(), TYPING_MS);
  const read = (at: At, signal?: AbortSignal): Promise<LiveExpiredOut> =>
    hub.getLiveExpiredStrategiesV2(
      {
        user_id: ME,
        ...at,
        prediction_market: market === 'prediction',
        ...(search_key !== '' && { search_key }),
      },
      { signal },
    );
  const list = useResource((signal) => read({ page, size: PAGE_SIZE }, signal), [page, market, search_key], {
    on: changesDeployments,
  });
  const summary = list.value?.by_currency ?? [];
  return (
    <>
      <div class="toolbar">
        <Field label="Find by name or symbol">
          <TextInput
            type="search"
            value={searched}
            onValue={(text) => {
              setSearched(text);
              setPage(1);
            }}
          />
        </Field>
        <Field label="Market">
          <Select
            value={market}
            options={MARKETS}
            onValue={(chosen) => {
              setMarket(chosen);
              setPage(1);
            }}
          />
        </Field>
      </div>
      {summary.length > 0 && (
        <dl class="figures">
          {summary.map(({ currency, total_pnl, wins, losses, deployments_count }) => (
            <Figure
              key={currency}
              label={`${format.count(deployments_count)} ended in ${currency}, after fees`}
              value={<Money value={total_pnl} currency={currency} signed />}
              hint={`${format.count(wins)} with a profit, ${format.count(losses)} with a loss`}
            />
          ))}
        </dl>
      )}
      <PagedTable
        of={list}
        read={read}
        caption="Ended deployments"
        label="Pages of ended deployments"
        rowKey={idOf}
        empty={
          search_key === ''
            ? 'None has ended on these markets yet.'
            : 'No ended deployment has these words in its name or symbols.'
        }
        page={page}
        onPage={setPage}
        columns={[
          { head: 'Strategy', isHead: true, cell: (one) => <Name of={one} /> },
          { head: 'Money', cell: ({ mode }) => <Mode mode={mode} /> },
          { head: 'Why it ended', cell: (one) => <State of={{ ...one, kind: 'live' }} /> },
          { head: 'Ended', cell: ({ stopped_at }) => <When at={stopped_at} /> },
          {
            head: 'Result after fees',
            isNumber: true,
            cell: (one) => <Money value={one.final_pnl} currency={one.currency} signed />,
          },
          { head: 'Return', isNumber: true, cell: (one) => <Percent value={one.final_return_pct} signed /> },
          { head: 'Trades', isNumber: true, cell: ({ trades_count }) => <Count value={trades_count} /> },
          {
            head: 'Still open',
            cell: ({ positions }) =>
              positions.length === 0 ? '' : positions.map(({ symbol }) => symbol).join(', '),
          },
        ]}
      />
    </>
  );
};
