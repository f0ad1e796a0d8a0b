import { closest } from 'fastest-levenshtein';
import type { BusEvent, BusRule } from './bus-event.ts';
import { listedTexts, matchesPattern } from './event-pattern.ts';

/** Maximum length of a printed name, as an event may hold any text. */
const MAX_NAME = 64;

/** Returns a text from outside for a line of the console. */
export const printable = (text: string, limit = MAX_NAME): string =>
  text.slice(0, limit).replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ');

/** Returns the name of a list that is spelt most like the given one, in any case. */
export const nearestName = (given: string, names: readonly string[]): string | undefined => {
  const bySpelling = new Map(names.map((name) => [name.toLowerCase(), name]));
  return bySpelling.size === 0
    ? undefined
    : bySpelling.get(closest(given.slice(0, MAX_NAME).toLowerCase(), [...bySpelling.keys()]));
};

/** Names the type of an event that no rule takes, and the nearest one of its source that a rule takes. */
export const untakenEvent = (event: BusEvent, rules: readonly BusRule[]): string => {
  const taken = rules
    .flatMap(({ pattern }) => listedTexts(pattern, 'detail-type'))
    .filter((type) =>
      rules.some(({ pattern }) => matchesPattern(pattern, { ...event, 'detail-type': type })),
    );
  const nearest = nearestName(event['detail-type'], taken);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `Dropped an event of ${printable(event.source)}: no function takes the DetailType "${printable(event['detail-type'])}".${hint}`;
};
