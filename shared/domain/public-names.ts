import { hasHidden, isConfusable, skeletonOf } from './confusables.ts';
import { readableText } from './text.ts';

/** Name of the platform. No other name may contain it. */
const PLATFORM = skeletonOf('Strategy Hub');

/** Names that seem to speak for the platform, and those of the brokers of the catalogue. */
const RESERVED_NAMES: readonly string[] = [
  ...['Support', 'Support Team', 'Customer Support', 'Customer Service', 'Help Desk', 'Helpdesk'],
  ...['Admin', 'Administrator', 'Moderator', 'Staff', 'Official', 'System', 'Security', 'Security Team'],
  ...['Partner A', 'Partner B', 'Partner C', 'Paper broker', 'Alpaca'],
];

const RESERVED = new Set(RESERVED_NAMES.map(skeletonOf));

const issue = (error: string) => ({ error, params: { type: 'value_error.name' }, abort: true });

/** Declares a name that others see, without hidden and confusable characters and the name of the platform. */
export const publicName = (bounds: { readonly max: number }) =>
  readableText(bounds)
    .refine((text) => !hasHidden(text), issue('invisible characters are not allowed'))
    .refine(
      (text) => !isConfusable(text),
      issue('letters of several scripts that look alike are not allowed'),
    )
    .refine((text) => !skeletonOf(text).includes(PLATFORM), issue('this name is reserved'));

/** Declares the name of a user or broker: a public name that is not reserved. */
export const ownName = (bounds: { readonly max: number }) =>
  publicName(bounds).refine((text) => !RESERVED.has(skeletonOf(text)), issue('this name is reserved'));
