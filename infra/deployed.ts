import type { FunctionDeclaration } from '../functions/declaration.ts';
import { FUNCTIONS } from '../functions/manifest.ts';
import type { HubConfig } from './stage.ts';

/** Lists the functions that a stage has. One without anything to do would cost a run a minute. */
export const deployedFunctions = (config: HubConfig): readonly FunctionDeclaration[] => {
  const isUsed = { marketData: config.marketData.length > 0, canary: config.canary !== undefined };
  return FUNCTIONS.filter(({ onlyWith }) => onlyWith === undefined || isUsed[onlyWith]);
};
