import { categoriesOf, type PublishState } from '../../domain/strategies/strategies.ts';
import { commit, editKeys, ListEdit } from '../numbered-list/list-edit.ts';
import { keys } from '../table/keys.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/writes.ts';
import { EXPLORE_LIST, profileList, unmoved } from './listings.ts';
import { cardOf, findStrategy, type Strategy } from './strategies.ts';
import { searchWrites } from './strategy-search.ts';

const categoryWrite = (strategy: Strategy, step: 1 | -1): Write => {
  const slugs = categoriesOf(strategy);
  return {
    key: keys.categories(),
    update: `SET entity = :entity ADD ${slugs.map((_, index) => `#c${index} :step`).join(', ')}`,
    names: Object.fromEntries(slugs.map((slug, index) => [`#c${index}`, slug])),
    values: { ':entity': 'categories', ':step': step },
  };
};

/** Target of publishing. Only a public strategy can be listed in the explore catalogue. */
type Publication =
  | { readonly state: PublishState; readonly listed: 'as_is' }
  | { readonly state: 1; readonly listed: true };

/**
 * Publishes or withdraws a user's own strategy. Its state, its cards on the profile and in the explore catalogue, the
 * counts of categories and the search index change in one transaction. No-op if nothing differs.
 *
 * @returns the strategy after the change; undefined if the user has no such strategy.
 * @throws TransactionRefusedError, ListContendedError if something changed meanwhile: read again.
 */
export const publish = async (
  store: Store,
  { userId, strategyId, to, now }: { userId: string; strategyId: number; to: Publication; now: Date },
): Promise<Strategy | undefined> => {
  const before = await findStrategy(store, strategyId);
  if (before?.user_id !== userId) return undefined;
  const onProfile = to.state === 1;
  const wasOnProfile = before.profile_seq !== undefined;
  const wasListed = before.explore_seq !== undefined;
  const listed = onProfile && (to.listed === 'as_is' ? wasListed : to.listed);
  if (before.publish_state === to.state && wasOnProfile === onProfile && wasListed === listed) return before;

  const profile = profileList(before.user_key);
  const placeOf = (seq: number | undefined) => (seq === undefined ? [] : [seq]);
  const items = await store.getMany(
    [
      ...editKeys(profile, placeOf(before.profile_seq)),
      ...editKeys(EXPLORE_LIST, placeOf(before.explore_seq)),
    ],
    { consistent: true },
  );
  const onProfileEdit = new ListEdit(profile, items);
  const inExploreEdit = new ListEdit(EXPLORE_LIST, items);
  const at = now.toISOString();
  const shown = before.publish_state === 0 ? { ...before, published_at: at } : before;
  const card = { ...cardOf(shown), published_at: shown.published_at ?? at };

  /** Adds the card to a list or removes it, as needed. Returns the place in the list afterwards. */
  const move = (edit: ListEdit, seq: number | undefined, stay: boolean): number | undefined => {
    if (stay) return seq ?? edit.append({ entity: 'strategy_card', ...card });
    if (seq !== undefined) edit.remove(seq);
    return undefined;
  };

  const after: Strategy = {
    ...before,
    publish_state: to.state,
    profile_seq: move(onProfileEdit, before.profile_seq, onProfile),
    explore_seq: move(inExploreEdit, before.explore_seq, listed),
    published_at: to.state === 0 ? undefined : card.published_at,
    updated_at: at,
  };
  const place = unmoved(before);
  const optional = [
    ['profile_seq', after.profile_seq],
    ['explore_seq', after.explore_seq],
    ['published_at', after.published_at],
  ] as const;
  const set = optional.filter(([, value]) => value !== undefined);
  const removed = optional.filter(([, value]) => value === undefined).map(([name]) => name);
  const home: Write = {
    key: keys.strategy(strategyId),
    update: `SET publish_state = :state, updated_at = :at${set.map(([name]) => `, ${name} = :new_${name}`).join('')}${
      removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''
    }`,
    // The cards are copies of the strategy as read, so none of its values may have changed.
    condition: `${place.condition} AND publish_state = :was AND version = :version AND like_count = :likes AND copy_count = :copies AND deployment_count = :deployments`,
    values: {
      ...place.values,
      ...Object.fromEntries(set.map(([name, value]) => [`:new_${name}`, value])),
      ':state': to.state,
      ':at': at,
      ':was': before.publish_state,
      ':version': before.version,
      ':likes': before.like_count,
      ':copies': before.copy_count,
      ':deployments': before.deployment_count,
    },
  };
  const found = { strategy: before, likes: before.like_count };
  await commit(
    store,
    [onProfileEdit, inExploreEdit],
    [
      home,
      ...(wasListed === listed
        ? []
        : [
            categoryWrite(before, listed ? 1 : -1),
            ...searchWrites(wasListed ? found : undefined, listed ? found : undefined),
          ]),
    ],
  );
  return after;
};
