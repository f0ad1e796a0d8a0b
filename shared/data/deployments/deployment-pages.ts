import type { LastPrices } from '../../domain/ledger/last-prices.ts';
import { lastPriceKeys, lastPricesIn } from '../candles/last-prices.ts';
import { entryKey, headIn, headKey, readPage } from '../numbered-list/numbered-list.ts';
import type { Item } from '../table/attributes.ts';
import { type OnDamaged, parseReadable } from '../table/damaged-items.ts';
import type { Store } from '../table/store.ts';
import type { Key } from '../table/writes.ts';
import {
  type Deployment,
  type DeploymentKind,
  deploymentEntrySchema,
  deploymentList,
  findDeploymentsWith,
} from './deployments.ts';

/** Returns the key of the user's item to read before a page of deployments. */
export const deploymentPageKey = (kind: DeploymentKind | 'all', userId: string): Key =>
  headKey(deploymentList(kind, userId));

/** Largest number of an entry of a list. */
const LAST_SEQ = 10 ** 12 - 1;

/** Most items of one call. */
const MAX_ITEMS = 100;

/**
 * Reads a page of a user's deployments, of one kind or all, newest first, and the last prices of their symbols as far as
 * both fit one call. Damaged ones are omitted but counted.
 *
 * @param head the item read at {@link deploymentPageKey}.
 */
export const findDeploymentPage = async (
  store: Store,
  {
    kind,
    userId,
    head,
    now,
  }: { kind: DeploymentKind | 'all'; userId: string; head: Item | undefined; now: Date },
  choice: { readonly page: number; readonly size: number },
  onDamaged: OnDamaged,
): Promise<{ deployments: Deployment[]; prices: LastPrices; total: number }> => {
  const list = deploymentList(kind, userId);
  const page = { ...choice, head: headIn(list, head) };
  const { entries, total } = await readPage(store, list, page, deploymentEntrySchema, onDamaged);
  const listed = new Set(entries.flatMap(({ symbols = [] }) => symbols));
  const symbols = [...listed].slice(0, Math.max(0, MAX_ITEMS - entries.length));
  const ids = entries.map(({ deployment_id }) => deployment_id);
  const { deployments, items } = await findDeploymentsWith(store, ids, lastPriceKeys(symbols), onDamaged);
  return { deployments, prices: lastPricesIn(items, symbols, now), total };
};

/**
 * Reads the ids of the next deployments that a user ever made, of every kind, oldest first. Omits entries that cannot be
 * read, which it reports.
 *
 * @param after `next` of the page before; 0 for the first page.
 */
export const pageOfOwned = async (
  store: Store,
  userId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
  onDamaged: OnDamaged,
): Promise<{ ids: number[]; next: number | undefined }> => {
  const list = deploymentList('all', userId);
  const items = await store.queryItems({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
    ExpressionAttributeValues: {
      ':pk': list.pk,
      ':low': entryKey(list, after).sk,
      ':high': entryKey(list, LAST_SEQ).sk,
    },
    Limit: limit,
    ConsistentRead: true,
  });
  // The partition of the list names the user.
  const placeOf = ({ sk }: Item): string =>
    `the entry ${String(sk)} of all deployments of a user cannot be read`;
  const found = parseReadable(deploymentEntrySchema, items, placeOf, onDamaged);
  const last = items.at(-1);
  return {
    ids: found.map(({ deployment_id }) => deployment_id),
    next: last && items.length === limit ? Number(last.sk) + 1 : undefined,
  };
};
