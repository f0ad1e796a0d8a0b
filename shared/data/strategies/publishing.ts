import type { PublishState } from '../../domain/strategies/strategies.ts';
import { commit, editKeys, ListEdit } from '../numbered-list/list-edit.ts';
import { itemWith } from '../table/items.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { categoryWrites } from './category-counts.ts';
import { EXPLORE_LIST, profileList, unmoved } from './listings.ts';
import { ownedWrite } from './owned-strategies.ts';
import { type Making, recordChange, recordKeysOf } from './record-change.ts';
import { cardOf, findStrategy, type Strategy } from './strategies.ts';
import { searchWrites } from './strategy-search.ts';
import { asRecord } from './track-records.ts';

/** Target of publishing. Only a public strategy can be listed in the explore catalogue. Archived ones are private. */
type Publication =
  | { readonly state: PublishState; readonly listed: boolean | 'as_is' }
  | { readonly archived: boolean };

/** State of a strategy that publishing changes. */
interface Aim {
  readonly state: PublishState;
  readonly listed: boolean;
  readonly status: Strategy['status'];
}

const aimOf = ({ status, publish_state, explore_seq }: Strategy, to: Publication): Aim => {
  const wasListed = explore_seq !== undefined;
  if ('archived' in to) {
    if (to.archived) return { state: 0, listed: false, status: 'archived' };
    return { state: publish_state, listed: wasListed, status: status === 'archived' ? 'ready' : status };
  }
  const listed = to.state === 1 && (to.listed === 'as_is' ? wasListed : to.listed);
  return { state: to.state, listed, status };
};

/**
 * Publishes, withdraws or archives a user's own strategy. Its state, its cards on the profile and in the explore
 * catalogue, the counts of categories, the search index and its track record change in one transaction. No-op if nothing
 * differs.
 *
 * @returns the strategy after the change; undefined if the user has no such strategy; `archived` if it would have to
 * leave the archive first.
 * @throws TransactionRefusedError, ListContendedError if something changed meanwhile: read again.
 */
export const publish = async (
  store: Store,
  { userId, strategyId, to, ...making }: { userId: string; strategyId: number; to: Publication } & Making,
): Promise<Strategy | 'archived' | undefined> => {
  const before = await findStrategy(store, strategyId);
  if (before?.user_id !== userId) return undefined;
  const { state, listed, status } = aimOf(before, to);
  if (status === 'archived' && state !== 0) return 'archived';
  const onProfile = state === 1;
  const wasOnProfile = before.profile_seq !== undefined;
  const wasListed = before.explore_seq !== undefined;
  const moves = wasOnProfile !== onProfile || wasListed !== listed;
  if (before.publish_state === state && before.status === status && !moves) return before;

  const profile = profileList(before.user_key);
  const placeOf = (seq: number | undefined) => (seq === undefined ? [] : [seq]);
  const items = await store.getMany(
    [
      ...editKeys(profile, placeOf(before.profile_seq)),
      ...editKeys(EXPLORE_LIST, placeOf(before.explore_seq)),
      ...recordKeysOf(before),
    ],
    { consistent: true },
  );
  const onProfileEdit = new ListEdit(profile, items);
  const inExploreEdit = new ListEdit(EXPLORE_LIST, items);
  const at = making.now.toISOString();
  const [recordKey] = recordKeysOf(before);
  const record = recordKey && asRecord(itemWith(items, recordKey));
  const { fields, writes } = recordChange(before, { ...before, publish_state: state }, making, record);
  const shown = { ...before, ...fields, ...(before.publish_state === 0 && { published_at: at }) };
  const card = { ...cardOf(shown), published_at: shown.published_at ?? at };

  /** Adds the card to a list or removes it, as needed. Returns the place in the list afterwards. */
  const move = (
    edit: ListEdit,
    seq: number | undefined,
    { isIn }: { readonly isIn: boolean },
  ): number | undefined => {
    if (isIn) return seq ?? edit.append({ entity: 'strategy_card', ...card });
    if (seq !== undefined) edit.remove(seq);
    return undefined;
  };

  const after: Strategy = {
    ...before,
    ...fields,
    status,
    publish_state: state,
    profile_seq: move(onProfileEdit, before.profile_seq, { isIn: onProfile }),
    explore_seq: move(inExploreEdit, before.explore_seq, { isIn: listed }),
    published_at: state === 0 ? undefined : card.published_at,
    updated_at: at,
  };
  const place = unmoved(before);
  const optional = [
    ['profile_seq', after.profile_seq],
    ['explore_seq', after.explore_seq],
    ['published_at', after.published_at],
    ...(fields
      ? ([
          ['record_id', after.record_id],
          ['record_version', after.record_version],
          ['record_identity', after.record_identity],
          ['reported', after.reported],
          ['performance', after.performance],
        ] as const)
      : []),
  ] as const;
  const set = optional.filter(([, value]) => value !== undefined);
  const removed = optional.filter(([, value]) => value === undefined).map(([name]) => name);
  const home: Write = {
    key: keys.strategy(strategyId),
    update: `SET publish_state = :state, #status = :status, updated_at = :at${set.map(([name]) => `, ${name} = :new_${name}`).join('')}${
      removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''
    }`,
    // The cards are copies of the strategy as read, so none of its values may have changed.
    condition: `${place.condition} AND publish_state = :was AND #status = :was_status AND version = :version AND like_count = :likes AND copy_count = :copies AND deployment_count = :deployments AND ${before.reported ? 'reported = :was_reported' : 'attribute_not_exists(reported)'}`,
    names: { '#status': 'status' },
    values: {
      ...place.values,
      ...Object.fromEntries(set.map(([name, value]) => [`:new_${name}`, value])),
      ':state': state,
      ':status': status,
      ':was_status': before.status,
      ':at': at,
      ':was': before.publish_state,
      ':version': before.version,
      ':likes': before.like_count,
      ':copies': before.copy_count,
      ':deployments': before.deployment_count,
      ...(before.reported && { ':was_reported': before.reported }),
    },
  };
  const found = { strategy: before, likes: before.like_count };
  await commit(
    store,
    [onProfileEdit, inExploreEdit],
    [
      home,
      ...writes,
      ...(status === before.status ? [] : [ownedWrite(before, { status })]),
      ...(wasListed === listed
        ? []
        : [
            ...categoryWrites(wasListed ? before : undefined, listed ? before : undefined),
            ...searchWrites(wasListed ? found : undefined, listed ? found : undefined),
          ]),
    ],
  );
  return after;
};
