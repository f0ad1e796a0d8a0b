import type { GetDeploymentOutput } from '../../../../../infra/client/package/src/index.ts';
import { countText } from '../../count-text.ts';
import { livesInBars } from '../../deployments/market-time.ts';
import { PriceAge } from '../../deployments/price-age.tsx';
import { format } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Figure, Money, Percent, Price, Quantity, When } from '../../ui/figures.tsx';

type Live = NonNullable<GetDeploymentOutput['live']>;

const Positions = ({ of: one }: { of: Live }) =>
  one.positions.length === 0 ? (
    <p class="muted">
      It holds nothing now.
      {one.open_orders > 0 && ` ${countText(one.open_orders, 'order waits', 'orders wait')} to be filled.`}
    </p>
  ) : (
    <DataTable
      caption="Open positions"
      rows={one.positions}
      rowKey={({ symbol }) => symbol}
      columns={[
        { head: 'Symbol', isHead: true, cell: ({ symbol }) => symbol },
        { head: 'Side', cell: ({ side }) => (side === 'long' ? 'Long' : 'Short') },
        { head: 'Quantity', isNumber: true, cell: ({ quantity }) => <Quantity value={quantity} /> },
        { head: 'Entry', isNumber: true, cell: ({ average_price }) => <Price value={average_price} /> },
        { head: 'Price now', isNumber: true, cell: ({ last_price }) => <Price value={last_price} /> },
        {
          head: 'Price',
          cell: ({ as_of }) =>
            as_of === null ? (
              'no price yet'
            ) : (
              <PriceAge {...one} at={as_of} isMarketTime={livesInBars(one)} />
            ),
        },
        {
          head: 'Open profit or loss, before fees',
          isNumber: true,
          cell: ({ unrealized_pnl }) => <Money value={unrealized_pnl} currency={one.currency} signed />,
        },
      ]}
    />
  );

/** Shows the positions of a live or paper deployment, and its results. */
export const TradingNow = ({ of: one }: { of: Live }) => {
  const { currency, total_pnl, starting_capital, latest_order: order } = one;
  return (
    <>
      <dl class="figures card">
        <Figure
          label="Equity"
          value={
            <Money value={total_pnl === null ? null : starting_capital + total_pnl} currency={currency} />
          }
          hint={
            <>
              of <Money value={starting_capital} currency={currency} /> at the start
            </>
          }
        />
        <Figure label="Today" value={<Money value={one.today_pnl} currency={currency} signed />} />
        <Figure
          label="Open profit or loss"
          value={<Money value={one.unrealized_pnl} currency={currency} signed />}
          hint={
            one.as_of === null ? undefined : (
              <>
                before fees, price <PriceAge {...one} at={one.as_of} isMarketTime={livesInBars(one)} />
              </>
            )
          }
        />
        <Figure
          label="Result after fees"
          value={<Money value={total_pnl} currency={currency} signed />}
          hint={
            <>
              <Percent value={one.return_pct} signed /> since the start, with open positions
            </>
          }
        />
        <Figure
          label="Fees and swap"
          value={<Money value={one.fees} currency={currency} />}
          hint={
            <>
              swap <Money value={one.swap} currency={currency} signed />
            </>
          }
        />
        <Figure label="Closed trades" value={format.count(one.trades_count)} />
        <Figure
          label="Last signal"
          value={order ? `${order.side === 'buy' ? 'Buy' : 'Sell'} ${order.symbol}` : 'None yet'}
          hint={
            order && (
              <>
                {order.status.replaceAll('_', ' ')}, <When at={order.updated_at} />
              </>
            )
          }
        />
      </dl>
      {one.unrealized_pnl === null && (
        <p class="muted">
          A position has no price yet, so results are not known. They come with its next bar.
        </p>
      )}
      <section class="stack">
        <h2>What it holds now</h2>
        <Positions of={one} />
      </section>
    </>
  );
};

/** Shows the signals of a notification deployment. */
export const NotificationNow = ({ of: one }: { of: NonNullable<GetDeploymentOutput['notification']> }) => (
  <dl class="figures card">
    <Figure
      label="Last signal"
      value={one.last_signal ? (one.last_signal.side === 'buy' ? 'Buy' : 'Sell') : 'None yet'}
      hint={
        one.last_signal && (
          <>
            at {format.price(one.last_signal.price)}, <When at={one.last_signal.at} />
          </>
        )
      }
    />
    <Figure label="Signals" value={format.count(one.signals_count)} />
    <Figure
      label="Unread"
      value={format.count(one.unread_count)}
      hint={<a href="#/notifications">Open the notifications</a>}
    />
  </dl>
);

/** Shows the matches of a scanner. */
export const ScannerNow = ({ of: one }: { of: NonNullable<GetDeploymentOutput['scanner']> }) => (
  <>
    <dl class="figures card">
      <Figure label="Watches" value={one.universe_name} />
      <Figure label="Matches" value={format.count(one.matches_count)} />
      <Figure label="Last run" value={one.last_run_at ? <When at={one.last_run_at} /> : 'Not yet'} />
    </dl>
    <section class="stack">
      <h2>Last matches</h2>
      {one.last_matches.length === 0 ? (
        <p class="muted">Nothing has matched yet. You are notified when something does.</p>
      ) : (
        <DataTable
          caption="Last matches"
          rows={one.last_matches.map((match, index) => ({ ...match, index }))}
          rowKey={({ index }) => index}
          columns={[
            { head: 'Symbol', isHead: true, cell: ({ symbol }) => symbol },
            { head: 'Price', isNumber: true, cell: ({ price }) => <Price value={price} /> },
            { head: 'Time', cell: ({ at }) => <When at={at} /> },
          ]}
        />
      )}
    </section>
  </>
);
