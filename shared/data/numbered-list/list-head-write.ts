import type { Update } from '../table/writes.ts';
import { type Head, storedHead } from './list-head.ts';
import { headAttribute, type NumberedList } from './numbered-list.ts';

type HeadUpdate = Update & { readonly condition: string };

/** Returns the update that creates the head of a list. */
export const headCreation = (list: NumberedList, head: Head): HeadUpdate => {
  const embedded = list.head !== undefined;
  return {
    update: embedded ? 'SET #list = :list' : 'SET #list = :list, entity = :list_entity',
    // An embedded head must not create the item that should hold it.
    condition: `attribute_not_exists(#list)${embedded ? ' AND attribute_exists(pk)' : ''}`,
    names: { '#list': headAttribute(list) },
    values: { ':list': storedHead(head), ...(!embedded && { ':list_entity': 'list' }) },
  };
};

/**
 * Returns the update of the head fields that differ, if they are still as read. An addition changes only `next`,
 * a removal only the other fields, so neither invalidates the other.
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

/** Joins the update of a head with an update of the item that holds it. */
export const joined = (head: HeadUpdate, holder: Update | undefined): HeadUpdate =>
  holder
    ? {
        update: `${head.update}, ${holder.update.slice('SET '.length)}`,
        condition: holder.condition ? `${head.condition} AND (${holder.condition})` : head.condition,
        names: { ...holder.names, ...head.names },
        values: { ...holder.values, ...head.values },
      }
    : head;
