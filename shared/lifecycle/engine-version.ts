import { versionAt } from '../domain/engine/version.ts';
import type { Runtime } from '../runtime.ts';

/** Returns the version of the engine that is active by the settings. @throws UnknownEngineVersionError */
export const activeEngineVersion = ({ capability, clock }: Pick<Runtime, 'capability' | 'clock'>): number =>
  versionAt(capability('engine').HUB_ENGINE_VERSION, clock());
