/** Returns the id of a message from the partition key of its item. */
export const deliveryIdOf = (pk: string): string => pk.slice(pk.indexOf('#') + 1);
