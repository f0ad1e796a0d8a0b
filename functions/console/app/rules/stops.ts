/** Stops and targets of an entry. */
export const STOPS = ['stop_loss', 'take_profit', 'trailing_stop'] as const;
