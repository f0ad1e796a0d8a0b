const MAX_LABEL = 63;

/** Names that mean something else in addresses, or that only we should speak under. */
const RESERVED = new Set(
  'admin api app auth broker brokers cdn dev docs help hub localhost login mail partnera partnerb partnerc static status support test www'.split(
    ' ',
  ),
);

/**
 * The sub-domain that a broker's name makes: a label of the domain name system, in ASCII. Undefined where
 * the name has nothing to make one of, or makes one that is reserved.
 */
export const subdomainOf = (name: string): string | undefined => {
  const label = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LABEL)
    .replace(/^-+|-+$/g, '');
  return label === '' || RESERVED.has(label) ? undefined : label;
};
