import { OrderTakenError } from '../data/execution/orders-in-hand.ts';

/** Runs work on an order or a protection. Another run that took it meanwhile goes on with it. */
export const unlessTaken = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OrderTakenError) return undefined;
    throw error;
  }
};
