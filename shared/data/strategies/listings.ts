import { entryKey, type NumberedList } from '../numbered-list/numbered-list.ts';
import { bounded, keys } from '../table/keys.ts';
import type { Condition, Update, Write } from '../table/writes.ts';
import type { Strategy } from './strategies.ts';

/** The explore catalogue. */
export const EXPLORE_LIST: NumberedList = { pk: 'EXPLORE' };

/** Returns the list of strategies that an author has published on the profile. */
export const profileList = (userKey: string): NumberedList => ({ pk: `PROFILE#${bounded(userKey)}` });

/** Returns the condition that a strategy still has the places in the lists that were read. */
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
 * Returns the writes that change a strategy and its cards in the lists in one transaction. They are refused if the
 * strategy entered, left or moved in a list since it was read: read again.
 *
 * @param ofStrategy change of the strategy itself, if it differs from that of the cards.
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
