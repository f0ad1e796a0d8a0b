/**
 * The one table. Plain data, so that the stack, the local engine and the tests create the same table.
 * Every entity is one item type; `entity` names it and is what stream filters look at.
 */
export const TABLE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. Expired items linger until DynamoDB reaps them: every read compares it itself. */
  timeToLive: 'expires_at_s',
  /** Images of both sides, for consumers to come: another view type would mean another stream. */
  stream: 'NEW_AND_OLD_IMAGES',
  indexes: [
    /** Work that becomes due: sparse, a partition per kind, sorted by the moment it is due (epoch ms). */
    { name: 'due', partitionKey: 'due_kind', sortKey: 'due_at', sortType: 'N', projection: 'ALL' },
  ],
} as const;
