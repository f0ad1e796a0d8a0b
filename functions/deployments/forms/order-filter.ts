import * as z from 'zod';
import type { Call } from '../../../shared/api/call.ts';
import { extra } from '../../../shared/api/fields.ts';
import {
  chosenBy,
  type EntryFilter,
  entryFilters,
  listChoice,
  nameList,
  namesIn,
} from '../../../shared/api/filters.ts';
import type { CoveredPart } from '../../../shared/api/pages.ts';
import { findOrders, orderPointerSchema, type StoredOrder } from '../../../shared/data/books/orders.ts';
import type { NumberedList } from '../../../shared/data/numbered-list/numbered-list.ts';
import { readWindow } from '../../../shared/data/numbered-list/read-window.ts';
import { ORDER_STATUSES } from '../../../shared/domain/orders/order-states.ts';

/** Orders that a filtered answer covers: those of one batch. */
export const MAX_COVERED = 100;

/** Query parameters that choose orders. */
export const orderFilters = {
  ...entryFilters,
  status: extra(nameList(ORDER_STATUSES).optional()),
  side: extra(z.enum(['buy', 'sell']).optional()),
} as const;

/** Query parameters of a paged list of orders. */
export const orderListQuery = { ...orderFilters, ...listChoice } as const;

interface OrderFilter extends EntryFilter {
  readonly status?: string | undefined;
  readonly side?: StoredOrder['side'] | undefined;
}

/** Tells whether an order was created in the period and has the chosen symbol, side and one of the statuses. */
export const matchingOrder = ({
  status,
  side,
  ...filter
}: OrderFilter): ((order: StoredOrder) => boolean) => {
  const isChosen = chosenBy(filter);
  const statuses = status === undefined ? undefined : new Set(namesIn(status));
  return (order) =>
    isChosen({ at: order.created_at, symbol: order.symbol }) &&
    (side === undefined || order.side === side) &&
    (statuses === undefined || statuses.has(order.status));
};

/** Finds matching orders among the next {@link MAX_COVERED} of a list, in two calls. */
export const searchOrders = async (
  { store, onDamaged }: Pick<Call, 'store' | 'onDamaged'>,
  list: NumberedList,
  window: Omit<Parameters<typeof readWindow>[2], 'limit'>,
  filter: OrderFilter,
): Promise<CoveredPart & { orders: StoredOrder[] }> => {
  const { entries, next, isWhole } = await readWindow(
    store,
    list,
    { ...window, limit: MAX_COVERED },
    orderPointerSchema,
    onDamaged,
  );
  const found = await findOrders(store, entries, onDamaged);
  return {
    orders: found.filter(matchingOrder(filter)),
    next,
    isWhole: isWhole && found.length === entries.length,
  };
};
