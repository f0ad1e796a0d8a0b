import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TimeZone } from '../../shared/domain/candles/time-zone.ts';
import { DataUnusableError } from '../local/database/data-unusable.ts';
import { EndpointUnusableError, NoEmbeddedDatabaseError } from '../local/database/dynamo.ts';
import { DataInUseError } from '../local/database/state.ts';
import { PortTakenError } from '../local/gateway/server.ts';
import { BadOriginError } from '../local/lambda/environment.ts';
import { ReleaseError } from '../release/release-error.ts';
import { BadSettingError } from '../settings-check.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Default data folder; HUB_DATA_DIR selects another one. */
export const dataDirOf = (environment: NodeJS.ProcessEnv): string =>
  environment.HUB_DATA_DIR || join(ROOT, '.hub');

/** Wrong use of a program. Printed without a stack trace. */
export class UsageError extends Error {}

const MISTAKES = [
  UsageError,
  ReleaseError,
  BadOriginError,
  BadSettingError,
  PortTakenError,
  DataInUseError,
  DataUnusableError,
  NoEmbeddedDatabaseError,
  EndpointUnusableError,
];

/** Returns the text to print for an error that ends a program. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return MISTAKES.some((mistake) => error instanceof mistake)
    ? error.message
    : (error.stack ?? error.message);
};

/** Reads a port setting. @throws UsageError for an invalid port. */
export const portOf = (environment: NodeJS.ProcessEnv, name: string, fallback: number): number => {
  const text = environment[name];
  if (!text) return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${name} is not a port: ${text}`);
};

/** Reads a flag that has one of some values. @throws UsageError for another value, or none. */
export const oneOf = <const T extends string>(
  flag: string,
  values: readonly T[],
  text: string | undefined,
): T => {
  const value = values.find((one) => one === text);
  if (value === undefined) throw new UsageError(`--${flag} must be one of ${values.join(', ')}`);
  return value;
};

/** Reads the name of a time zone. @throws UsageError if the platform has none of this name. */
export const zoneOf = (name: string | undefined): TimeZone | undefined => {
  const zone = name === undefined ? undefined : TimeZone.find(name);
  if (name !== undefined && !zone) {
    throw new UsageError(`There is no time zone ${name}. Use a name such as America/New_York.`);
  }
  return zone;
};

/** Returns a number with separators, such as `12,000`. */
export const count = (number: number): string => number.toLocaleString('en');
