/** Source of the hub's own events on the bus. No engine may use it. */
export const HUB_SOURCE = 'strategy-hub';
