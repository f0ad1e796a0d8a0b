import type { Param } from './values.ts';

/** Rules or a part of them in which numbers replace the parameters. */
export type Resolved<T> = T extends Param ? never : T extends object ? { [K in keyof T]: Resolved<T[K]> } : T;
