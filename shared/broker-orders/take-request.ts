import * as z from 'zod';
import { asStoredOrder, orderKey } from '../data/books/orders.ts';
import { asDeployment, type Deployment } from '../data/deployments/deployments.ts';
import {
  asOrderInHand,
  createOrderInHand,
  type OrderFacts,
  type OrderInHand,
  OrderTakenError,
  orderInHandKey,
  saveOrderInHand,
} from '../data/execution/orders-in-hand.ts';
import { itemWith } from '../data/table/items.ts';
import { keys } from '../data/table/keys.ts';
import { HUB_SOURCE } from '../domain/deployments/event-source.ts';
import { instrumentSchema } from '../domain/instruments/instrument-records.ts';
import { MalformedEventError } from '../domain/malformed-event.ts';
import { brokerOrderIdOf } from '../domain/orders/broker-order-ids.ts';
import { ADAPTER_FACTS, type TradedInstrument } from '../domain/orders/execution-adapters.ts';
import {
  type CancelRequest,
  isPlacing,
  MAX_HUB_SEQUENCE,
  ORDER_REQUESTED,
  type OrderRequest,
  orderRequestSchema,
  type PlacingRequest,
  PROTECTION_REQUESTED,
} from '../domain/orders/order-request-schema.ts';
import { attendOrder, releaseOrder, takeOrder } from './attend-order.ts';
import { type ExecutionRuntime, findAccess } from './execution-runtime.ts';
import { leaseUntil } from './lease.ts';
import { takeLevels } from './protection/take-levels.ts';
import { endUnplaced, sendReport } from './report-order.ts';
import { unlessTaken } from './unless-taken.ts';

/** Pauses between the first looks at a new order: market orders fill at once. */
const LOOKS_MS = [250, 500, 1000, 2000];
const MAX_TRIES = 5;

const envelope = z.object({
  source: z.literal(HUB_SOURCE),
  'detail-type': z.string(),
  detail: z.record(z.string(), z.unknown()),
});

/** Reads the order in hand, the deployment and the hub's own order of a request. */
const readKnown = async ({ store }: ExecutionRuntime, { detail }: OrderRequest) => {
  const id = brokerOrderIdOf(detail);
  const own = [orderInHandKey(id), keys.deployment(detail.deployment_id), orderKey(detail)] as const;
  const items = await store.getMany(own, { consistent: true });
  const deployment = asDeployment(itemWith(items, own[1]));
  if (!deployment) throw new MalformedEventError('there is no such deployment');
  return {
    id,
    deployment,
    inHand: asOrderInHand(itemWith(items, own[0])),
    stored: asStoredOrder(itemWith(items, own[2])),
  };
};

const newOrder = (
  work: ExecutionRuntime,
  { id, deployment, detail }: { id: string; deployment: Deployment; detail: OrderRequest['detail'] },
): OrderInHand => {
  const now = work.clock().getTime();
  return {
    adapter: work.adapter.name,
    broker_client_id: id,
    deployment_id: detail.deployment_id,
    client_order_id: detail.client_order_id,
    user_id: deployment.user_id,
    ...(deployment.kind === 'live' &&
      deployment.broker_id !== undefined && { broker_id: deployment.broker_id }),
    account_id: detail.account,
    broker_symbol: detail.broker_symbol ?? detail.symbol,
    asset_class: 'equity',
    state: 'placing',
    sequence: MAX_HUB_SEQUENCE,
    reported: MAX_HUB_SEQUENCE,
    created_at: now,
    rev: 1,
    due_at: leaseUntil(work),
  };
};

/** Returns the reason why the broker cannot have an order; undefined if it can. */
const misfitOf = (
  { adapter, brokerName }: ExecutionRuntime,
  deployment: Deployment,
  { type, detail }: PlacingRequest,
): string | undefined => {
  if (deployment.kind !== 'live' || deployment.mode !== 'live')
    return 'The deployment places no real orders.';
  const { execution } = deployment;
  const isOwn = execution?.adapter === adapter.name && execution.account === detail.account;
  if (!isOwn) return 'The deployment does not trade on this account.';
  const isShort = type === ORDER_REQUESTED && detail.side === 'sell';
  // The order would sell what the owner holds for other reasons.
  return isShort && ADAPTER_FACTS[adapter.name].isSpot ? `${brokerName} has no short positions.` : undefined;
};

/** Reads how the broker names an instrument; a text is the reason why it does not trade it. */
const findSymbol = async (
  { store, adapter }: ExecutionRuntime,
  { detail }: PlacingRequest,
): Promise<TradedInstrument | string> => {
  const instrument = await store.get(keys.instrument(detail.symbol), instrumentSchema);
  if (!instrument) return 'The instrument is not in the catalogue any more.';
  const traded = ADAPTER_FACTS[adapter.name].instrumentAt(instrument);
  if (typeof traded === 'string') return traded;
  return { ...traded, broker_symbol: detail.broker_symbol ?? traded.broker_symbol };
};

const factsOf = ({ detail }: PlacingRequest): OrderFacts => ({
  symbol: detail.symbol,
  side: detail.side,
  order_type: detail.order_type,
  quantity: detail.quantity,
  time_in_force: detail.time_in_force,
  expected_price: detail.expected_price,
  ...('price' in detail && { price: detail.price }),
  ...('trigger_price' in detail && { trigger_price: detail.trigger_price }),
});

/** Attends an order, and looks at it again for a few seconds while it is open. */
const attendClosely = async (
  work: ExecutionRuntime,
  taken: OrderInHand,
  { isFirst = false } = {},
): Promise<void> => {
  const access = taken.state === 'ended' ? undefined : await findAccess(work, taken);
  let attended = await attendOrder(work, taken, access, { isFirst });
  for (const pause of LOOKS_MS) {
    const { state, lifting_since: liftingSince } = attended.order;
    const isLooking = state === 'open' || (state === 'placing' && liftingSince !== undefined);
    if (!isLooking || attended.pauseMs !== undefined || !work.hasTime()) break;
    await work.sleep(pause);
    attended = await attendOrder(work, attended.order, access);
  }
  await releaseOrder(work, attended);
};

/** Ends an order that must not be placed, whatever the account says. */
const endAtOnce = async (
  work: ExecutionRuntime,
  order: OrderInHand,
  status: 'cancelled' | 'rejected',
  reason: string,
): Promise<void> => {
  const certain = { ...order, unsure_since: undefined };
  await releaseOrder(work, { order: await endUnplaced(work, certain, status, reason) });
};

const takePlacing = async (work: ExecutionRuntime, request: PlacingRequest): Promise<void> => {
  const { id, deployment, inHand } = await readKnown(work, request);
  const { detail } = request;
  if (inHand) {
    if (inHand.facts) {
      // Nothing is due once the order has ended, or while another run has it.
      const isDue = inHand.due_at !== undefined && inHand.due_at <= work.clock().getTime();
      if (isDue) await attendClosely(work, await takeOrder(work, inHand));
      return;
    }
    // A cancel has overtaken the order.
    const known = { ...inHand, request, facts: factsOf(request) };
    await endAtOnce(work, known, 'cancelled', inHand.cancel?.reason ?? 'The order was cancelled.');
    return;
  }
  const misfit = misfitOf(work, deployment, request);
  const symbol = misfit ?? (await findSymbol(work, request));
  const order: OrderInHand = {
    ...newOrder(work, { id, deployment, detail }),
    request,
    facts: factsOf(request),
    ...(typeof symbol !== 'string' && symbol),
    // A run that dies from here on may have placed the order.
    unsure_since: work.clock().getTime(),
  };
  await createOrderInHand(work.store, order);
  if (typeof symbol === 'string') await endAtOnce(work, order, 'rejected', symbol);
  else await attendClosely(work, order, { isFirst: true });
};

const takeCancel = async (work: ExecutionRuntime, request: CancelRequest): Promise<void> => {
  const { id, deployment, inHand, stored } = await readKnown(work, request);
  const { detail } = request;
  const cancel = { reason: detail.reason };
  if (inHand) {
    if (inHand.state === 'ended') return;
    const order = { ...inHand, cancel: { ...inHand.cancel, ...cancel }, due_at: leaseUntil(work) };
    await attendClosely(work, await saveOrderInHand(work.store, order));
    return;
  }
  const facts = stored && {
    symbol: stored.symbol,
    side: stored.side,
    order_type: stored.order_type,
    quantity: stored.quantity,
  };
  // Keeps the order from being placed if it arrives later.
  const order: OrderInHand = {
    ...newOrder(work, { id, deployment, detail }),
    ...(facts && { facts }),
    state: 'ended',
    cancel,
  };
  await createOrderInHand(work.store, order);
  if (facts) await endAtOnce(work, order, 'cancelled', detail.reason);
  else await releaseOrder(work, { order: await sendReport(work, order) });
};

/**
 * Takes a request of the hub. A repeat, however late, places nothing again: the order in hand is an item of its own.
 *
 * @throws ZodError, MalformedEventError for an event that no retry makes good.
 */
export const takeRequest = async (work: ExecutionRuntime, raw: unknown): Promise<void> => {
  const { 'detail-type': type, detail } = envelope.parse(raw);
  const request = orderRequestSchema.parse({ type, detail });
  if (request.detail.adapter !== work.adapter.name) return;
  if (request.type === PROTECTION_REQUESTED) {
    await takeLevels(work, request);
    return;
  }
  if (isPlacing(request)) {
    await unlessTaken(() => takePlacing(work, request));
    return;
  }
  for (let tries = 1; ; tries += 1) {
    try {
      await takeCancel(work, request);
      return;
    } catch (error) {
      if (!(error instanceof OrderTakenError) || tries === MAX_TRIES) throw error;
    }
  }
};
