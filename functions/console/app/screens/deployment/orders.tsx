import { useState } from 'preact/hooks';
import type {
  GetDeploymentTradesOutput,
  GetLiveStrategyOrderBookOutput,
} from '../../../../../infra/client/package/src/index.ts';
import { alertDelayText } from '../../deployments/alert-delay.ts';
import { hub, ME } from '../../hub.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Duration, Money, Percent, Price, Quantity, When } from '../../ui/figures.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import type { DataTableProps } from '../../ui/table/table-props.ts';
import { type Resource, useResource } from '../../ui/use-resource.ts';
import { type At, type ListPage, type ReadPage, wholeOf } from '../../ui/whole-list.ts';

const PAGE_SIZE = 25;

type Order = GetLiveStrategyOrderBookOutput['items'][number];
type Trade = GetDeploymentTradesOutput['items'][number];

const STATUSES = [
  { value: '', label: 'All orders' },
  {
    value: 'pending,submitted,open,trigger_pending,partially_filled,cancel_pending,unknown',
    label: 'Waiting',
  },
  { value: 'filled', label: 'Filled' },
  { value: 'cancelled,expired', label: 'Cancelled' },
  { value: 'rejected', label: 'Rejected' },
] as const;

const SIDES = [
  { value: '', label: 'Buys and sells' },
  { value: 'buy', label: 'Buys' },
  { value: 'sell', label: 'Sells' },
] as const;

/** Place in a filtered list, which goes on behind its last page. */
interface Place {
  readonly page: number;
  readonly cursor?: number | undefined;
}

const FIRST: Place = { page: 1 };

interface FarTableProps<R> extends Omit<DataTableProps<R>, 'rows'> {
  readonly of: Resource<ListPage<R> & { readonly page: number }>;
  /** Loads a page of the list. */
  readonly read: ReadPage<R>;
  /** Text in place of a list without entries. */
  readonly empty: string;
  readonly cursor: number | undefined;
  readonly onPlace: (place: Place) => void;
  readonly label: string;
}

/** Table of a list that goes on behind its last page. */
const FarTable = <R,>({ of: list, read, empty, cursor, onPlace, label, ...table }: FarTableProps<R>) => {
  const back = cursor !== undefined && (
    <div class="row">
      <Button kind="quiet" onClick={() => onPlace(FIRST)}>
        Back to the newest
      </Button>
    </div>
  );
  return (
    <Loaded
      of={list}
      empty={({ total, next_cursor }) =>
        total === 0 &&
        typeof next_cursor !== 'number' && (
          <div class="stack">
            <p>{back ? 'There are none further back.' : empty}</p>
            {back}
          </div>
        )
      }
    >
      {(list) => {
        const { items, page, pages, next_cursor } = list;
        return (
          <DataTable
            {...table}
            rows={items}
            loadWhole={wholeOf(list, read, back !== false)}
            below={
              <>
                <Pager
                  page={page}
                  pages={pages}
                  onPage={(to) => onPlace({ page: to, cursor })}
                  label={label}
                />
                {typeof next_cursor === 'number' && page >= pages && (
                  <div class="row">
                    <Button onClick={() => onPlace({ page: 1, cursor: next_cursor })}>
                      Look further back
                    </Button>
                  </div>
                )}
                {back}
              </>
            }
          />
        );
      }}
    </Loaded>
  );
};

const orderColumns = [
  { head: 'Time', isHead: true, cell: ({ created_at }: Order) => <When at={created_at} /> },
  { head: 'Symbol', cell: ({ symbol }: Order) => symbol },
  {
    head: 'Order',
    cell: ({ side, order_type }: Order) =>
      `${side === 'buy' ? 'Buy' : 'Sell'}, ${order_type.replace('_', ' ')}`,
  },
  { head: 'Quantity', isNumber: true, cell: ({ quantity }: Order) => <Quantity value={quantity} /> },
  {
    head: 'Filled',
    isNumber: true,
    cell: ({ filled_quantity }: Order) => <Quantity value={filled_quantity} />,
  },
  {
    head: 'Price',
    isNumber: true,
    cell: (one: Order) => <Price value={one.average_price ?? one.price ?? one.trigger_price} />,
  },
  {
    head: 'Result before fees',
    isNumber: true,
    cell: (one: Order) => <Money value={one.realized_pnl} currency={one.currency} signed />,
  },
  {
    head: 'State',
    cell: ({ status, status_message, ...times }: Order) => (
      <>
        {status.replaceAll('_', ' ')}
        {alertDelayText(times) && (
          <>
            {' '}
            <span class="muted remark">– {alertDelayText(times)}</span>
          </>
        )}
        {status_message && (
          <>
            {' '}
            <span class="muted remark">– {status_message}</span>
          </>
        )}
      </>
    ),
  },
];

/** Order book of a deployment. */
export const Orders = ({ id, symbols }: { id: number; symbols: readonly string[] }) => {
  const [status, setStatus] = useState<(typeof STATUSES)[number]['value']>('');
  const [side, setSide] = useState<(typeof SIDES)[number]['value']>('');
  const [symbol, setSymbol] = useState('');
  const [place, setPlace] = useState(FIRST);
  const read = (at: At, signal?: AbortSignal) =>
    hub.getLiveStrategyOrderBook(
      {
        user_id: ME,
        deployment_id: id,
        ...at,
        status: status === '' ? undefined : status,
        side: side === '' ? undefined : side,
        symbol: symbol === '' ? undefined : symbol,
      },
      { signal },
    );
  const orders = useResource(
    (signal) => read({ ...place, size: PAGE_SIZE }, signal),
    [id, place, status, side, symbol],
    { on: ({ deployment_id, type }) => deployment_id === id && type.startsWith('order.') },
  );
  const isFiltered = status !== '' || side !== '' || symbol !== '';
  const filter =
    <V,>(set: (value: V) => void) =>
    (value: V): void => {
      set(value);
      setPlace(FIRST);
    };
  return (
    <section class="stack">
      <div class="filters">
        <Field label="State">
          <Select value={status} options={STATUSES} onValue={filter(setStatus)} />
        </Field>
        <Field label="Side">
          <Select value={side} options={SIDES} onValue={filter(setSide)} />
        </Field>
        {symbols.length > 1 && (
          <Field label="Symbol">
            <Select
              value={symbol}
              options={[
                { value: '', label: 'All symbols' },
                ...symbols.map((one) => ({ value: one, label: one })),
              ]}
              onValue={filter(setSymbol)}
            />
          </Field>
        )}
      </div>
      <FarTable
        of={orders}
        read={read}
        empty={isFiltered ? 'No order is like this. Choose other filters.' : 'It has placed no order yet.'}
        caption="Orders, the newest first"
        columns={orderColumns}
        rowKey={({ order_id }) => order_id}
        cursor={place.cursor}
        onPlace={setPlace}
        label="Pages of orders"
      />
    </section>
  );
};

const SORTS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'best', label: 'Best first' },
  { value: 'worst', label: 'Worst first' },
] as const;

const tradeColumns = [
  { head: 'Closed', isHead: true, cell: ({ closed_at }: Trade) => <When at={closed_at} /> },
  { head: 'Symbol', cell: ({ symbol }: Trade) => symbol },
  { head: 'Side', cell: ({ side }: Trade) => (side === 'long' ? 'Long' : 'Short') },
  { head: 'Quantity', isNumber: true, cell: ({ quantity }: Trade) => <Quantity value={quantity} /> },
  { head: 'Entry', isNumber: true, cell: ({ entry_price }: Trade) => <Price value={entry_price} /> },
  { head: 'Exit', isNumber: true, cell: ({ exit_price }: Trade) => <Price value={exit_price} /> },
  {
    head: 'Result after fees',
    isNumber: true,
    cell: (one: Trade) => <Money value={one.net_pnl} currency={one.currency} signed />,
  },
  { head: 'Return', isNumber: true, cell: ({ return_pct }: Trade) => <Percent value={return_pct} signed /> },
  { head: 'Fees', isNumber: true, cell: (one: Trade) => <Money value={one.fees} currency={one.currency} /> },
  { head: 'Held', isNumber: true, cell: ({ duration_s }: Trade) => <Duration value={duration_s} /> },
];

/** Closed trades of a deployment. */
export const Trades = ({ id }: { id: number }) => {
  const [sort, setSort] = useState<(typeof SORTS)[number]['value']>('newest');
  const [place, setPlace] = useState(FIRST);
  const read = (at: At, signal?: AbortSignal) =>
    hub.getDeploymentTrades({ user_id: ME, deployment_id: id, sort, ...at }, { signal });
  const trades = useResource((signal) => read({ ...place, size: PAGE_SIZE }, signal), [id, sort, place], {
    on: ({ deployment_id, type }) => deployment_id === id && type.startsWith('trade'),
  });
  return (
    <section class="stack">
      <div class="filters">
        <Field label="Order">
          <Select
            value={sort}
            options={SORTS}
            onValue={(value) => {
              setSort(value);
              setPlace(FIRST);
            }}
          />
        </Field>
      </div>
      <FarTable
        of={trades}
        read={read}
        empty="It has closed no trade yet."
        caption="Closed trades"
        columns={tradeColumns}
        rowKey={({ trade_number }) => trade_number}
        cursor={place.cursor}
        onPlace={setPlace}
        label="Pages of trades"
      />
    </section>
  );
};
