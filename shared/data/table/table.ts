/**
 * Definition of the one table, as plain data, so that the stack, the local engine and the tests create the same
 * table. The attribute `entity` names the kind of an item; stream filters match it.
 */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. DynamoDB removes expired items late, so every read compares this value itself. */
  timeToLive: 'expires_at_s',
  /** Both images, for future consumers: changing the view type would replace the stream. */
  stream: 'NEW_AND_OLD_IMAGES',
  indexes: [
    /** Items that become due. Sparse; one partition per kind, sorted by due time (epoch milliseconds). */
    { name: 'due', partitionKey: 'due_kind', sortKey: 'due_at', sortType: 'N', projection: 'ALL' },
  ],
} as const;
