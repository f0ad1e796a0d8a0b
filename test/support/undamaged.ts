import type { OnDamaged } from '../../shared/data/table/damaged-items.ts';

/** Fails at the first damaged item of a list. */
export const undamaged: OnDamaged = (error) => {
  throw error;
};
