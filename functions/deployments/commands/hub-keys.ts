import { keys } from '../../../shared/data/table/keys.ts';
import type { Key } from '../../../shared/data/table/writes.ts';
import { TIMEFRAMES } from '../../../shared/domain/strategies/strategies.ts';

/** Returns the keys that tell program and market time of an order, if the hub runs its deployment. */
export const hubKeys = (deploymentId: number, symbol: string | undefined): Key[] => [
  keys.deploymentSetup(deploymentId),
  // The setup tells which series it is, but is read in the same call.
  ...(symbol === undefined ? [] : TIMEFRAMES.map((timeframe) => keys.series(symbol, timeframe))),
];
