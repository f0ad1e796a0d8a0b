import { dayOf } from '../periods.ts';

/** Deployments of a user that the hub began to run on a day (UTC), ended ones included. */
export interface Starts {
  readonly day: string;
  readonly count: number;
}

/** Returns the count of a user after another start. */
export const oneMoreStart = (before: Starts | undefined, now: Date): Starts => {
  const day = dayOf(now.getTime());
  // A newer version may have written more fields.
  return { ...before, day, count: (before?.day === day ? before.count : 0) + 1 };
};
