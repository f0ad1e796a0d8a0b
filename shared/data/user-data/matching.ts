import type { Item } from '../table/attributes.ts';
import { type Account, eachText, namesOf } from './account.ts';
import { cluesIn, cluesTo, type Holdings, type Relation, relationTest } from './holdings.ts';
import { textSearch } from './text-search.ts';

/** User whose items are looked for. */
interface Subject {
  readonly account: Account;
  readonly holdings: Holdings;
}

/**
 * Returns a function that finds the users to whom an item has a relation. Lookups of keys and one search of its texts
 * dismiss nearly all users and items, so hundreds of users take hardly longer than one.
 */
export const matcherOf = <T extends Subject>(
  subjects: readonly T[],
): ((item: Item) => (readonly [T, Relation])[]) => {
  const byClue = new Map<string, T[]>();
  const tests = new Map(
    subjects.map((subject) => [subject, relationTest(subject.account, subject.holdings)] as const),
  );
  for (const subject of subjects) {
    for (const clue of cluesTo(subject.account, subject.holdings)) {
      byClue.set(clue, [...(byClue.get(clue) ?? []), subject]);
    }
  }
  const search = textSearch(subjects, ({ account }) => namesOf(account));
  return (item) => {
    const candidates = new Set<T>();
    const add = (subject: T): unknown => candidates.add(subject);
    for (const clue of cluesIn(item)) for (const subject of byClue.get(clue) ?? []) add(subject);
    eachText(item, (text) => search(text, add));
    return [...candidates].flatMap((subject) => {
      const relation = tests.get(subject)?.(item);
      return relation === undefined ? [] : [[subject, relation] as const];
    });
  };
};
