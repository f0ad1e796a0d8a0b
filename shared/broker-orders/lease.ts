import type { Runtime } from '../runtime.ts';

/** Time for which a run has an order, or a protection, to itself, in milliseconds. */
const LEASE_MS = 30_000;

/** Returns the time until which a run that begins now has an order, or a protection, to itself. */
export const leaseUntil = ({ clock }: Pick<Runtime, 'clock'>): number => clock().getTime() + LEASE_MS;
