import type { Call } from '../../../shared/api/call.ts';
import { HubError } from '../../../shared/api/errors.ts';
import type { StoredOrder } from '../../../shared/data/books/orders.ts';
import { lastClosed } from '../../../shared/data/candles/read-candles.ts';
import { asSeries } from '../../../shared/data/candles/series.ts';
import { hasRealOrders, type TradingDeployment } from '../../../shared/data/deployments/deployments.ts';
import { inputToAccountWrite, inputWrite, type RecordedInput } from '../../../shared/data/engine/inputs.ts';
import { type HubLeg, hubLegIn } from '../../../shared/data/engine/market-clock.ts';
import { type Items, itemWith } from '../../../shared/data/table/items.ts';
import { keys } from '../../../shared/data/table/keys.ts';
import type { Write } from '../../../shared/data/table/writes.ts';
import { isFinalDeploymentStatus } from '../../../shared/domain/deployments/deployment-states.ts';
import type { Ledger } from '../../../shared/domain/ledger/ledger-state.ts';

/** Program of an order of the hub, and the market time. */
export interface HubOrder {
  readonly leg: HubLeg | undefined;
  /** Start of the newest bar. */
  readonly at: number;
  /** Last moment in the units of the newest bar: that of a declared split; absent without one. */
  readonly until?: number;
  /** Start of the newest closed bar of the program: a decision takes effect after it. */
  readonly after: number;
}

/**
 * Returns the program and the market time of an order.
 *
 * @param items read at hubKeys.
 * @throws HubError changed_meanwhile while the series is split.
 */
export const hubOf = (
  deployment: TradingDeployment,
  { symbol }: StoredOrder,
  items: Items,
  { head }: Ledger,
  now: Date,
): HubOrder => {
  const leg = hubLegIn(itemWith(items, keys.deploymentSetup(deployment.deployment_id)), symbol);
  const series = leg && asSeries(itemWith(items, leg.series));
  // A broker has new units from then on, the books from the first bar on.
  const isAtBroker =
    hasRealOrders(deployment) && (series?.split?.at ?? Number.POSITIVE_INFINITY) <= now.getTime();
  if (series?.split?.started || isAtBroker) {
    throw new HubError('changed_meanwhile', `${symbol} is being split. Try again after its next bar.`);
  }
  const { last = head.at } = series ?? {};
  return {
    leg,
    at: last,
    after: series && leg ? lastClosed(series, leg.timeframe) : last,
    ...(series?.split && { until: series.split.at - 1 }),
  };
};

/**
 * Returns the writes that let the account of the hub close a trade, as the books do. An account that has ended or failed
 * trades no more, so its books alone change; that is looked up after a failed attempt only.
 */
export const inputWrites = async (
  { store }: Call,
  deployment: TradingDeployment,
  { leg, after }: HubOrder,
  close: {
    readonly order: StoredOrder;
    readonly client_order_id: string;
    readonly price: string;
    readonly isRepeated: boolean;
  },
): Promise<Write[]> => {
  if (!leg || isFinalDeploymentStatus(deployment.status)) return [];
  const { deployment_id: id, version } = deployment;
  const { order, client_order_id, price } = close;
  const input: RecordedInput = {
    // Versions of the deployment ascend.
    number: version,
    after,
    type: 'close',
    order: order.client_order_id,
    price: Number(price),
    client_order_id,
    symbol: order.symbol,
  };
  // An account with real orders reads its inputs when it is served.
  if (hasRealOrders(deployment)) return [inputWrite(id, input)];
  if (close.isRepeated) {
    const [account] = await store.getMany([keys.subscriber(leg.program_id, 'A', id)], { consistent: true });
    if (!account) return [];
  }
  return [inputWrite(id, input), inputToAccountWrite(id, leg.program_id, input)];
};
