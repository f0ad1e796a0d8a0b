/** Errors in the log when the broker and the hub differ. Each raises the alarm `broker orders in doubt`. */
export const BROKER_DOUBTS = {
  notInHand: 'an order at the broker is not in hand',
  unreadable: 'an open order at the broker has an unknown form',
  appearedLate: 'an order appeared at the broker after it was given up',
  notFound: 'the broker does not find an order',
  replaced: 'an order was replaced at the broker',
  disconnected: 'the account of an order is not connected',
} as const;
