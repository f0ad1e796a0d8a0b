import type { GetBrokerStateOutput } from '../../../../infra/client/package/src/index.ts';
import { format } from '../format.ts';
import { hub, ME } from '../hub.ts';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Confirm, useConfirmed } from '../ui/dialog.tsx';
import { Age, Price, Quantity, When } from '../ui/figures.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { useAction } from '../ui/use-action.ts';
import { useResource } from '../ui/use-resource.ts';
import { levelName, orderStatusName, stateTone } from './broker-state-words.ts';

type Position = GetBrokerStateOutput['positions'][number];
type Order = Position['orders'][number];

/** The hub compares with the broker each minute. */
const REFRESH_MS = 15_000;

const Orders = ({ of: { symbol, orders } }: { of: Position }) =>
  orders.length === 0 ? null : (
    <DataTable
      caption={`Orders that protect ${symbol}`}
      rows={orders.map((order, index) => ({ ...order, index }))}
      rowKey={({ index }) => index}
      columns={[
        { head: 'Order', isHead: true, cell: ({ level }: Order) => levelName(level) },
        { head: 'Price', isNumber: true, cell: ({ price }: Order) => <Price value={price} /> },
        { head: 'Quantity', isNumber: true, cell: ({ quantity }: Order) => <Quantity value={quantity} /> },
        { head: 'State', cell: ({ status }: Order) => orderStatusName(status) },
        {
          head: 'Ends',
          cell: ({ time_in_force }: Order) =>
            time_in_force === 'day' ? 'with the session' : 'when cancelled',
        },
        { head: 'Last word', cell: ({ updated_at }: Order) => <When at={updated_at} seconds /> },
      ]}
    />
  );

const Buttons = ({ of: position, onDone }: { of: Position; onDone: () => void }) => {
  const { deployment_id, symbol, actions, strategy_name } = position;
  const own = { user_id: ME, deployment_id };
  const again = useAction(async () => {
    await hub.placeProtection({ ...own, symbol });
    onDone();
  });
  const close = useConfirmed(async (_: true) => {
    await hub.stopDeployment({ ...own, flatten: true });
    onDone();
  });
  const takeOver = useConfirmed(async (_: true) => {
    await hub.undeployLiveStrategy(own);
    onDone();
  });
  return (
    <>
      <div class="actions">
        {actions.includes('place_again') && (
          <Button kind="primary" busy={again.isBusy} onClick={() => void again.run()}>
            Place the exits again
          </Button>
        )}
        {actions.includes('take_over') && (
          <Button onClick={() => takeOver.ask(true)}>Take over by hand</Button>
        )}
        {actions.includes('close') && (
          <Button kind="danger" onClick={() => close.ask(true)}>
            Close the position
          </Button>
        )}
      </div>
      <Problem of={again.error} />
      <Confirm title={`Close ${symbol}?`} action="Close and stop" {...close.dialog}>
        <p>
          The exits are cancelled, and everything that “{strategy_name}” holds is closed at the market. It
          ends for good.
        </p>
      </Confirm>
      <Confirm title={`Take over ${symbol}?`} action="Take over" {...takeOver.dialog}>
        <p>
          “{strategy_name}” ends at once. The position and its exits stay at your broker as they are: from
          then on you manage both there.
        </p>
      </Confirm>
    </>
  );
};

const PositionCard = ({ of: position, onDone }: { of: Position; onDone: () => void }) => {
  const { symbol, side, quantity, average_price, account_id, text, state, compared_at, differences } =
    position;
  return (
    <li class="card stack">
      <h3>
        {symbol}: {side} <Quantity value={quantity} /> at {format.price(average_price)}
      </h3>
      <Notice kind={stateTone(state)}>{text}</Notice>
      {differences.map((one) => (
        <Notice key={one.kind} kind="warn">
          {one.text}{' '}
          {one.since !== null && (
            <>
              Since <When at={one.since} seconds />.
            </>
          )}
        </Notice>
      ))}
      <Orders of={position} />
      <p class="muted">
        {account_id !== null && <>Account {account_id}. </>}
        {compared_at === null ? (
          'Not yet compared with the broker.'
        ) : (
          <>
            Compared with the broker <Age at={compared_at} oldMs={3 * 60_000} />.
          </>
        )}
      </p>
      <Buttons of={position} onDone={onDone} />
    </li>
  );
};

/** Open positions of a deployment with real orders, with what stands at the broker, and what their owner can do. */
export const BrokerState = ({ id }: { id: number }) => {
  const state = useResource(
    (signal) => hub.getBrokerState({ user_id: ME, deployment_id: id }, { signal }),
    [id],
    { everyMs: REFRESH_MS, on: (event) => event.deployment_id === id },
  );
  return (
    <section class="stack" aria-label="What stands at your broker">
      <h2>What stands at your broker</h2>
      <Loaded
        of={state}
        empty={({ positions }) => positions.length === 0 && <p class="muted">It holds nothing there now.</p>}
      >
        {({ positions }) => (
          <ul class="plain-list stack">
            {positions.map((position) => (
              <PositionCard key={position.symbol} of={position} onDone={state.reload} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
};
