import * as z from 'zod';
import { notificationList } from '../deployments/notifications.ts';
import { endStage, hasValue, VALUE_EXISTS, VALUE_MISSING } from '../deployments/staged-change.ts';
import { commit, editKeys, ListEdit } from '../numbered-list/list-edit.ts';
import { entryKey, type NumberedList } from '../numbered-list/numbered-list.ts';
import { retryOnConflict } from '../numbered-list/retry.ts';
import type { Item } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Store } from '../table/store.ts';
import type { Key, Write } from '../table/writes.ts';
import { asEndedEntry, bookingWrite, endedList, unbooked } from './ended-entries.ts';
import { endedTotalsKeys, endedTotalsWrite, isNoChange } from './ended-totals.ts';
import type { ListEntries } from './list-entries.ts';
import { type OrderPointer, slippageList, userOrderList } from './orders.ts';
import { tradeKey, tradePlaceKey, userTradeList } from './trades.ts';

/** Items that were read, by key. */
class Read {
  readonly #items = new Map<string, Item>();

  async more(store: Store, wanted: readonly Key[]): Promise<void> {
    if (wanted.length === 0) return;
    for (const item of await store.getMany(wanted, { consistent: true })) {
      if (item) this.#items.set(`${item.pk}\n${item.sk}`, item);
    }
  }

  at({ pk, sk }: Key): Item | undefined {
    return this.#items.get(`${pk}\n${sk}`);
  }

  get all(): Item[] {
    return [...this.#items.values()];
  }
}

/** Schema of a trade's place in the list of its user. */
const placeSchema = z.object({ seq: z.number() });

interface TradeChange {
  readonly number: number;
  /** Undefined for a trade to add. */
  readonly seq: number | undefined;
}

/** Compares the user's list with the stored trades and returns the trades to add or remove. */
const tradeChanges = (read: Read, { deployment_id, trades }: ListEntries): TradeChange[] =>
  trades.flatMap((number) => {
    const exists = hasValue(read.at(tradeKey(deployment_id, number)));
    const place = read.at(tradePlaceKey(deployment_id, number));
    if (exists === (place !== undefined)) return [];
    return [{ number, seq: place && parseItem(placeSchema, place).seq }];
  });

const tradeEntryWrites = (
  edit: ListEdit,
  { deployment_id }: ListEntries,
  { number, seq }: TradeChange,
): Write[] => {
  const [trade, place] = [tradeKey(deployment_id, number), tradePlaceKey(deployment_id, number)];
  if (seq !== undefined) {
    edit.remove(seq);
    return [
      { delete: place, if: { condition: 'seq = :seq', values: { ':seq': seq } } },
      { check: trade, if: VALUE_MISSING },
    ];
  }
  const added = edit.append({ entity: 'trade_entry', deployment_id, number });
  return [
    { put: { ...place, entity: 'trade_place', seq: added }, if: { condition: 'attribute_not_exists(pk)' } },
    { check: trade, if: VALUE_EXISTS },
  ];
};

/** Returns the entries to append to each list. */
const additions = (entries: ListEntries): [NumberedList, Item[]][] => {
  const { user_id, deployment_id, mode, new_order, slipped_order, notifications } = entries;
  const pointer = (client_order_id: string | undefined): Item[] => {
    if (client_order_id === undefined) return [];
    const order: OrderPointer = { deployment_id, client_order_id };
    return [{ entity: 'order_entry', ...order }];
  };
  const lists: [NumberedList, Item[]][] = [
    [userOrderList(user_id, mode), pointer(new_order)],
    [slippageList(user_id), pointer(slipped_order)],
    [
      notificationList(user_id),
      notifications.map((notification) => ({ entity: 'notification', ...notification })),
    ],
  ];
  return lists.filter(([, items]) => items.length > 0);
};

/** Returns the key of the deployment among the ended ones, if its results changed. */
const endedKeyOf = ({ user_id, totals }: ListEntries): Key | undefined =>
  totals && entryKey(endedList(user_id, totals), totals.ended_seq);

/**
 * Returns the writes that count a late event in the totals: the difference between the present results of the
 * deployment and its part in the totals.
 */
const totalsWrites = (read: Read, { user_id, totals }: ListEntries, endedKey: Key | undefined): Write[] => {
  const item = endedKey && read.at(endedKey);
  if (!totals || !item) return [];
  const change = unbooked(asEndedEntry(item));
  if (isNoChange(change)) return [];
  return [
    ...endedTotalsKeys(user_id, totals).map((key) =>
      endedTotalsWrite(key, read.at(key), { ...totals, change }),
    ),
    bookingWrite(endedKey, item),
  ];
};

/**
 * Adds the entries of an event to the lists and totals of its owner, exactly once: the same transaction removes the
 * message. No-op if the message is gone.
 *
 * @param further writes of the same transaction, such as the messages of its notifications.
 */
export const enterListEntries = (
  store: Store,
  deliveryId: string,
  entries: ListEntries,
  further: readonly Write[],
): Promise<void> =>
  retryOnConflict(async () => {
    const { user_id, deployment_id, trades, totals } = entries;
    const message = keys.outbox(deliveryId);
    if (entries.staged) await endStage(store, deployment_id);
    const added = additions(entries);
    const sums = totals ? endedTotalsKeys(user_id, totals) : [];
    const ended = endedKeyOf(entries);
    const tradeList = userTradeList(user_id);
    const read = new Read();
    await read.more(store, [
      message,
      ...added.flatMap(([list]) => editKeys(list)),
      ...sums,
      ...(ended ? [ended] : []),
      ...trades.flatMap((number) => [tradeKey(deployment_id, number), tradePlaceKey(deployment_id, number)]),
    ]);
    if (!read.at(message)) return;
    const changes = tradeChanges(read, entries);
    if (changes.length > 0) {
      await read.more(
        store,
        editKeys(
          tradeList,
          changes.flatMap(({ seq }) => seq ?? []),
        ),
      );
    }
    const edits = added.map(([list, items]) => {
      const edit = new ListEdit(list, read.all);
      for (const item of items) edit.append(item);
      return edit;
    });
    const tradeEdit = new ListEdit(tradeList, read.all);
    const writes: Write[] = changes.flatMap((change) => tradeEntryWrites(tradeEdit, entries, change));
    writes.push(...totalsWrites(read, entries, ended));
    await commit(
      store,
      [...edits, tradeEdit],
      [{ delete: message, if: { condition: 'attribute_exists(pk)' } }, ...writes, ...further],
    );
  });
