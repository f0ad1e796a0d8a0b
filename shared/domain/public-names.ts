import { hasHidden, isConfusable, skeletonOf } from './confusables.ts';
import { readableText } from './text.ts';

/** Name of the platform. No other name may contain it. */
const PLATFORM = skeletonOf('Strategy Hub');

/** Names of the brokers of the catalogue. */
const BROKERS = new Set(['Partner A', 'Partner B', 'Partner C', 'Paper broker', 'Alpaca'].map(skeletonOf));

/** Words for those who speak for the platform, and words that only accompany them. */
const OFFICES =
  'support helpdesk admin administrator moderator staff official system security customerservice'.split(' ');
const COMPANIONS =
  'the our hub team desk agent account customer client user help service center centre'.split(' ');

const anyOf = (words: readonly string[]): string => words.map(skeletonOf).join('|');

/** Matches a name that consists of such words, in any order. */
const OFFICIAL = new RegExp(
  `^(?:${anyOf(COMPANIONS)})*(?:${anyOf(OFFICES)})(?:${anyOf([...OFFICES, ...COMPANIONS])})*$`,
  'u',
);

const isReserved = (text: string): boolean => {
  const skeleton = skeletonOf(text);
  return BROKERS.has(skeleton) || OFFICIAL.test(skeleton);
};

const issue = (error: string) => ({ error, params: { type: 'value_error.name' }, abort: true });

/** Matches an e-mail address. Identity providers may send one as the name. */
const ADDRESS = /[^\s@]@[^\s@]+\.[^\s@]/u;

/** Declares a name that others see, without hidden and confusable characters and the name of the platform. */
export const publicName = (bounds: { readonly max: number }) =>
  readableText(bounds)
    .refine((text) => !hasHidden(text), issue('invisible characters are not allowed'))
    .refine(
      (text) => !isConfusable(text),
      issue('letters of several scripts that look alike are not allowed'),
    )
    .refine((text) => !skeletonOf(text).includes(PLATFORM), issue('this name is reserved'));

/** Declares the name of a user or broker: a public name that is neither reserved nor an e-mail address. */
export const ownName = (bounds: { readonly max: number }) =>
  publicName(bounds)
    .refine((text) => !isReserved(text), issue('this name is reserved'))
    .refine((text) => !ADDRESS.test(text.normalize('NFKC')), issue('an e-mail address is not a name'));
