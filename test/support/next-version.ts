import { PutItemCommand, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { fromAttributes, type Item, toAttributes } from '../../shared/data/table/attributes.ts';
import { pack, unpackJson } from '../../shared/data/table/packed.ts';
import { isRecord } from '../../shared/domain/unknown-fields.ts';
import type { TestHub } from './hub.ts';

/** Name of a field that only the next version knows. */
export const ADDED = 'next_version';

/** Attributes that hold a packed record. */
const PACKED = new Set(['ledger', 'history', 'list', 'program', 'paper', 'place', 'holdings', 'figures']);

/** Records keyed by data. Each entry is a record, so a further field would be a further entry. */
const KEYED = new Set([
  'sessions',
  'brokers',
  'groups',
  'contract_sizes',
  'quotes',
  'symbols',
  'orders',
  'deployments',
  'kept',
  'counts',
  'listings',
  'tries_by',
  'quote_currencies',
  'lots',
  'by_hand',
  'holds',
  'chunks',
  'series_failures',
  'amounts',
  'closes',
  'entering',
  'identities',
  'marks',
  'passkeys',
  'recovery_codes',
  'proposals',
]);

/**
 * Records that every write derives from others. The next version reads them like those of this one, and
 * derives its further fields from the same sources. Data of notifications is free, and returned unchanged;
 * a secret, a send, an attempt and the failure of a feed are replaced by the next one.
 */
const DERIVED = new Set([
  'head',
  'previous_secret',
  'sends',
  'data',
  'summary',
  'latest_order',
  'last_signal',
  'unread',
  'performance',
  'figures',
  'message',
  'down',
  'last_attempt',
  'totp_pending',
]);

const newer = (value: unknown, name = ''): unknown => {
  if (value instanceof Uint8Array && PACKED.has(name)) {
    const record = newer(unpackJson(value));
    if (!isRecord(record)) throw new TypeError(`${name} holds no record`);
    return pack(record);
  }
  if (Array.isArray(value)) return value.map((one) => (isRecord(one) ? newer(one) : one));
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([field, inner]) => [
    field,
    DERIVED.has(field) ? inner : newer(inner, field),
  ]);
  return { ...Object.fromEntries(fields), ...(!KEYED.has(name) && { [ADDED]: { by: 'the next version' } }) };
};

/** Returns every item of the table except the copies of instruments, which each import writes again. */
export const itemsOf = async ({ runtime: { store } }: TestHub): Promise<Item[]> => {
  const items: Item[] = [];
  let from: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page = await store.client.send(
      new ScanCommand({
        TableName: store.table,
        ConsistentRead: true,
        FilterExpression: 'entity <> :copy',
        ExpressionAttributeValues: { ':copy': { S: 'instrument_copy' } },
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    items.push(...(page.Items ?? []).map(fromAttributes));
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
};

/** Writes an item unchanged. */
export const putItem = async ({ runtime: { store } }: TestHub, item: Item): Promise<void> => {
  await store.client.send(new PutItemCommand({ TableName: store.table, Item: toAttributes(item) }));
};

/** Changes every item into one of the next version, with a further field at every depth. */
export const rewriteAsNext = async (hub: TestHub): Promise<Item[]> => {
  const items = (await itemsOf(hub)).map((item) => newer(item)).filter(isRecord);
  for (const item of items) await putItem(hub, item);
  return items;
};

/** Lists fields of the next version that an item has lost although their record still exists. */
export const lostIn = (before: unknown, after: unknown, path = ''): string[] => {
  const name = path.split('.').at(-1) ?? '';
  if (before instanceof Uint8Array && after instanceof Uint8Array && PACKED.has(name)) {
    return lostIn(unpackJson(before), unpackJson(after), path);
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length
      ? before.flatMap((one, index) => lostIn(one, after[index], `${path}.${index}`))
      : [];
  }
  if (!isRecord(before) || !isRecord(after)) return [];
  return Object.keys(before).flatMap((field) => {
    if (field === ADDED) return field in after ? [] : [`${path}.${field}`];
    return field in after && !DERIVED.has(field)
      ? lostIn(before[field], after[field], `${path}.${field}`)
      : [];
  });
};
