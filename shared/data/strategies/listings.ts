import { entryKey, type NumberedList } from '../numbered-list/numbered-list.ts';
import { bounded, keys } from '../table/keys.ts';
import type { Condition, Update, Write } from '../table/store.ts';
import type { Strategy } from './strategies.ts';

/** The list of the explore catalogue. */
export const EXPLORE_LIST: NumberedList = { pk: 'EXPLORE' };

/** The list of what an author has published on the profile. */
export const profileList = (userKey: string): NumberedList => ({ pk: `PROFILE#${bounded(userKey)}` });

/** Says that a strategy still stands in the lists, or outside them, where it was read. */
export const unmoved = ({ explore_seq, profile_seq }: Strategy): Condition => ({
  condition: [
    explore_seq === undefined ? 'attribute_not_exists(explore_seq)' : 'explore_seq = :explore_seq',
    profile_seq === undefined ? 'attribute_not_exists(profile_seq)' : 'profile_seq = :profile_seq',
  ].join(' AND '),
  values: {
    ...(explore_seq !== undefined && { ':explore_seq': explore_seq }),
    ...(profile_seq !== undefined && { ':profile_seq': profile_seq }),
  },
});

/**
 * Changes a strategy, and its cards in the lists alike, in one transaction. The strategy's own condition
 * holds beside the one that it stands where it was read; a refusal means reading again.
 */
export const changeEverywhere = (strategy: Strategy, change: Update, ofStrategy?: Update): Write[] => {
  const { strategy_id, explore_seq, profile_seq, user_key } = strategy;
  const place = unmoved(strategy);
  const own = ofStrategy ?? change;
  const card = (list: NumberedList, seq: number | undefined): Write[] =>
    seq === undefined ? [] : [{ key: entryKey(list, seq), ...change, condition: 'attribute_exists(pk)' }];
  return [
    {
      key: keys.strategy(strategy_id),
      ...own,
      condition: own.condition === undefined ? place.condition : `${place.condition} AND ${own.condition}`,
      values: { ...own.values, ...place.values },
    },
    ...card(EXPLORE_LIST, explore_seq),
    ...card(profileList(user_key), profile_seq),
  ];
};
