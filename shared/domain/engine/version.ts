import { ENGINE_VERSIONS } from './versions.ts';

/** Version of what was stored before versions were noted. */
export const FIRST_VERSION = 1;

/** Newest version that this code can run. */
export const NEWEST_VERSION = ENGINE_VERSIONS.at(-1) ?? FIRST_VERSION;

/** This code cannot run the version of the engine. No other version takes its place. */
export class UnknownEngineVersionError extends Error {
  constructor(version: number) {
    super(`this code has no version ${version} of the engine, only ${ENGINE_VERSIONS.join(', ')}`);
    this.name = 'UnknownEngineVersionError';
  }
}

/** Returns whether this code can run a version. */
export const isKnownVersion = (version: number): boolean => ENGINE_VERSIONS.includes(version);

/** Returns a version that this code can run. @throws UnknownEngineVersionError */
export const knownVersion = (version: number): number => {
  if (!isKnownVersion(version)) throw new UnknownEngineVersionError(version);
  return version;
};

/** Returns the versions of a setting: the active one, and the next one with its time. */
export const versionsIn = (setting: string): { version: number; next: number; from: number } => {
  const [version, next = version, from = ''] = setting.split(/[ @]/);
  return { version: Number(version), next: Number(next), from: Date.parse(from) };
};

/** Returns the version that is active at a moment by a setting. @throws UnknownEngineVersionError */
export const versionAt = (setting: string, now: Date): number => {
  const { version, next, from } = versionsIn(setting);
  return knownVersion(now.getTime() >= from ? next : version);
};
