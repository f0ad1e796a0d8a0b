import { unknownSweep } from '../../shared/api/refusals.ts';
import { asSweep, type Sweep } from '../../shared/data/backtests/sweeps.ts';
import type { Item } from '../../shared/data/table/attributes.ts';

/** Returns a sweep of the user's own. @throws HubError sweep_unknown */
export const ownSweep = (userId: string, item: Item | undefined): Sweep => {
  const sweep = asSweep(item);
  if (sweep?.user_id !== userId) throw unknownSweep();
  return sweep;
};
