import { skeletonOf } from './confusables.ts';

const MAX_LABEL = 63;

/** Names with another meaning in URLs, or that only this service may use. */
const RESERVED = new Set(
  'admin api app auth broker brokers cdn dev docs help hub localhost login mail partnera partnerb partnerc static status strategyhub support test www'
    .split(' ')
    .map(skeletonOf),
);

/**
 * Derives a sub-domain from a broker's name: an ASCII label of the domain name system.
 *
 * @returns undefined if the name has no usable characters, or the result is reserved.
 * @example
 * subdomainOf('Éclair Markets'); // 'eclair-markets'
 */
export const subdomainOf = (name: string): string | undefined => {
  const label = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LABEL)
    .replace(/^-+|-+$/g, '');
  return label === '' || RESERVED.has(skeletonOf(label)) ? undefined : label;
};
