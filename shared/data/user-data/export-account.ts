import { isRecord } from '../../domain/unknown-fields.ts';
import type { Item } from '../table/attributes.ts';
import { unpackJson } from '../table/packed.ts';
import { scanItems } from '../table/scan.ts';
import type { Store } from '../table/store.ts';
import type { Account } from './account.ts';
import { findHoldings, relationTest } from './holdings.ts';

/** Attributes that hold a secret, its digest, or what it is made from. */
const SECRET = /hash$|secret|sealed|nonce|keygen|password|push_key|token|^rotated_by$/;
/** Attributes of the storage: keys, indexes, expiry. */
const STORAGE = new Set(['pk', 'sk', 'due_kind', 'due_at', 'expires_at_s']);

/** Record of a user, ready to be handed out. */
export interface ExportedRecord {
  /** Kind of the record, and name of its file. */
  readonly kind: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Result of an export. */
export interface ExportReport {
  readonly records: number;
  /** Names of the attributes that were left out. */
  readonly leftOut: readonly string[];
}

/** Returns the text of a packed record as a value; undefined for other bytes. */
const unpacked = (bytes: Uint8Array): unknown => {
  try {
    return unpackJson(bytes);
  } catch {
    // Encrypted keys, and bars, which are no JSON.
    return undefined;
  }
};

/** Returns a value without secrets, with packed records unpacked. Notes the names of what is left out. */
const shown = (value: unknown, leftOut: Set<string>, name = ''): unknown => {
  if (value instanceof Uint8Array) {
    const text = unpacked(value);
    if (text === undefined) leftOut.add(name);
    return shown(text, leftOut, name);
  }
  if (value instanceof Set) return [...value];
  if (Array.isArray(value)) return value.map((one) => shown(one, leftOut, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, inner]) => {
      if (!SECRET.test(field)) return [[field, shown(inner, leftOut, field)]];
      leftOut.add(field);
      return [];
    }),
  );
};

const recordOf = (item: Item, leftOut: Set<string>): ExportedRecord => {
  const attributes = Object.entries(item).filter(([name]) => !STORAGE.has(name) && name !== 'entity');
  const record = shown(Object.fromEntries(attributes), leftOut);
  return { kind: String(item.entity ?? 'other'), record: isRecord(record) ? record : {} };
};

/**
 * Reads everything that the table holds about a user: what they own, and what names them. Reads the whole table.
 * Secrets and their digests are left out.
 *
 * @param write takes each record.
 */
export const exportAccount = async (
  store: Store,
  account: Account,
  write: (record: ExportedRecord) => Promise<void>,
): Promise<ExportReport> => {
  const relationOf = relationTest(account, await findHoldings(store, account));
  const leftOut = new Set<string>();
  let records = 0;
  let from: Awaited<ReturnType<typeof scanItems>>['next'];
  do {
    const page = await scanItems(store, from);
    for (const item of page.items) {
      if (relationOf(item) === undefined) continue;
      records += 1;
      await write(recordOf(item, leftOut));
    }
    from = page.next;
  } while (from);
  return { records, leftOut: [...leftOut].sort() };
};
