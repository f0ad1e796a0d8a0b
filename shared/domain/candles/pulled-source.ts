/** Returns the source of the series of a feed that the hub pulls. */
export const pulledSource = (feed: { readonly name: string }): string => `hub-feed.${feed.name}`;
