import { decimal } from '../money.ts';
import type { LimitName } from './limits.ts';
import type { RiskState } from './state.ts';

/** Used part of a limit. */
export interface Usage {
  readonly limit: LimitName;
  readonly used: string;
  readonly allowed: string;
}

/** Part of a limit from which the owner is warned. */
export const WARN_PART = 0.8;

/** Returns the least part of a limit that matters: the owner is warned once a day, then only the limit itself counts. */
export const judgedPart = ({ warned }: RiskState, limit: LimitName): number =>
  warned.includes(limit) ? 1 : WARN_PART;

/** Returns whether a part of a limit is used. */
export const usesPart = ({ used, allowed }: Usage, part: number): boolean =>
  decimal(used).gte(decimal(allowed).times(part));
