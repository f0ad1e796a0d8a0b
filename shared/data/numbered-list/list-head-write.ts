import type { Update } from '../table/store.ts';
import { type Head, storedHead } from './list-head.ts';
import { headAttribute, type NumberedList } from './numbered-list.ts';

type HeadUpdate = Update & { readonly condition: string };

/** Writes the first head of a list. */
export const headCreation = (list: NumberedList, head: Head): HeadUpdate => {
  const embedded = list.head !== undefined;
  return {
    update: embedded ? 'SET #list = :list' : 'SET #list = :list, entity = :list_entity',
    // An embedded head must not come into being without its entity.
    condition: `attribute_not_exists(#list)${embedded ? ' AND attribute_exists(pk)' : ''}`,
    names: { '#list': headAttribute(list) },
    values: { ':list': storedHead(head), ...(!embedded && { ':list_entity': 'list' }) },
  };
};

/**
 * Changes what differs of a head, where that is still as it was. An addition changes `next` only and a
 * removal the rest, so one does not invalidate the other.
 */
export const headChange = (list: NumberedList, before: Head, after: Head): HeadUpdate => {
  const { next, gone, base, counts } = storedHead(after);
  const fields = {
    ...(next !== before.next && { next }),
    ...(gone !== before.gone && { gone, base, counts }),
  };
  const guards = [
    ...(next !== before.next ? (['next'] as const) : []),
    ...(gone !== before.gone ? (['gone'] as const) : []),
  ];
  const names = Object.keys(fields);
  return {
    update: `SET ${names.map((name) => `#list.#list_${name} = :list_${name}`).join(', ')}`,
    condition: guards.map((name) => `#list.#list_${name} = :list_was_${name}`).join(' AND '),
    names: {
      '#list': headAttribute(list),
      ...Object.fromEntries(names.map((name) => [`#list_${name}`, name])),
    },
    values: {
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:list_${name}`, value])),
      ...Object.fromEntries(guards.map((name) => [`:list_was_${name}`, before[name]])),
    },
  };
};

/** Joins the change of a head with a change of the item that holds it. */
export const joined = (head: HeadUpdate, along: Update | undefined): HeadUpdate =>
  along
    ? {
        update: `${head.update}, ${along.update.slice('SET '.length)}`,
        condition: along.condition ? `${head.condition} AND (${along.condition})` : head.condition,
        names: { ...along.names, ...head.names },
        values: { ...along.values, ...head.values },
      }
    : head;
